import ProviderKit

/// How an installation of 1Pass signs devices in. Its documents describe three endpoints with other names for the same
/// values.
enum OnePassDeviceEndpoint: String, CaseIterable, DeclaredValue {
    /// `POST /api/v1/devices`: a device without its secret is refused.
    case devices
    /// `POST /api/v1/auth/anonymous_bootstrap`: a device without its secret becomes a new account.
    case anonymousBootstrap
    /// `POST /api/v1/me/device_keys/exchange`: a device of a signed-in user, ten times an hour.
    case deviceKeys

    /// Whether the endpoint makes anonymous accounts.
    var isAnonymous: Bool { self != .deviceKeys }

    func url(below base: String) -> String {
        switch self {
        case .devices: "\(base)/api/v1/devices"
        case .anonymousBootstrap: "\(base)/api/v1/auth/anonymous_bootstrap"
        case .deviceKeys: "\(base)/api/v1/me/device_keys/exchange"
        }
    }

    func body(of device: BootstrapDevice) -> JSONObject {
        let prefix = self == .anonymousBootstrap
        var body: JSONObject = [
            prefix ? "device_id" : "device_uuid": .string(device.id),
            prefix ? "device_platform" : "platform": .string(device.platform),
        ]
        body["device_secret"] = device.secret.map { .string($0.reveal()) }
        return body
    }
}

/// A device's session at 1Pass, as any of its endpoints answers.
struct OnePassDeviceSession: Decodable, Sendable {
    /// A personal access key for `/api/v1`.
    let accessToken: String
    /// The secret of the device, the first time only.
    let deviceSecret: String?
    let user: JSONValue?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case deviceSecret = "device_secret"
        case user
    }

    /// The claims of the account, where the answer has them.
    var claims: JSONObject? {
        guard let user = user?.object, let id = user["id"], id.string != nil || id.integer != nil else { return nil }
        var claims: JSONObject = ["sub": id]
        claims["anonymous"] = user["anonymous"]
        claims["preferred_name"] = user["nickname"]
        return claims
    }
}

extension OnePassAPI {
    /// The answer of a device endpoint.
    enum DeviceAnswer: Sendable {
        case session(OnePassDeviceSession)
        case secretRefused
        case claimedByAnotherUser
        case rateLimited(retryAfter: Int?)
    }

    func introduce(
        _ device: BootstrapDevice, at endpoint: OnePassDeviceEndpoint
    ) async throws(ProviderError) -> DeviceAnswer {
        var request = UpstreamRequest(.post, endpoint.url(below: url), at: .authorizeDevice)
            .sending(json: .object(endpoint.body(of: device)))
        if !endpoint.isAnonymous, let token = device.accessToken { request = request.bearer(token) }
        let response = try await context.upstream.send(request)
        let code = try? response.jsonValue(at: .authorizeDevice)["error"]?.string
        switch (response.status, code) {
        case (200..<300, _):
            let session = try response.decode(OnePassDeviceSession.self, at: .authorizeDevice)
            guard !session.accessToken.isEmpty, session.deviceSecret?.isEmpty != true else {
                throw ProviderError(.upstream, at: .authorizeDevice, "the answer has an empty token or secret")
            }
            return .session(session)
        case (401, "invalid_device_secret"): return .secretRefused
        // The older endpoint names no error. It authenticates by nothing but the secret.
        case (401, _) where endpoint == .devices: return .secretRefused
        case (409, "device_claimed_by_other_user"): return .claimedByAnotherUser
        case (429, _): return .rateLimited(retryAfter: response.retryAfter)
        case (404, _):
            throw ProviderError(
                .configuration, at: .authorizeDevice, "the device endpoint is missing: check options.deviceBootstrap")
        default: throw response.refusal(at: .authorizeDevice)
        }
    }

    /// The profile of a device's account. A personal key is valid below `/api/v1`, where userinfo answers as well.
    func userinfo(personalKey: String) async throws(ProviderError) -> JSONObject {
        let response = try await context.upstream.send(
            UpstreamRequest(.get, url + "/api/v1/oauth/userinfo", at: .fetchProfile).bearer(personalKey))
        guard response.status == 200 else {
            // The key is a second old: a refusal is no fault of the device.
            throw ProviderError(
                .upstream, at: .fetchProfile, "userinfo answered a device's key with status \(response.status)")
        }
        guard let claims = try response.jsonValue(at: .readProfile).object else {
            throw ProviderError(.upstream, at: .readProfile, "userinfo is not an object")
        }
        return claims
    }
}
