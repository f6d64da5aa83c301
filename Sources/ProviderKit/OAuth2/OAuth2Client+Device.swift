public import Foundation

extension OAuth2Client {
    /// Starts a device authorization (RFC 8628 §3.1).
    ///
    /// - Parameters:
    ///   - url: The device authorization endpoint.
    ///   - scopes: The requested scopes.
    ///   - authenticates: Whether a confidential client authenticates, as RFC 8628 §3.1 requires; some providers refuse a
    ///     secret in this flow.
    ///   - upstream: The HTTP client.
    /// - Returns: The codes, with times in seconds.
    /// - Throws: ``ProviderError``.
    public func startDeviceAuthorization(
        at url: String, scopes: [String], authenticates: Bool = false, over upstream: any Upstream
    ) async throws(ProviderError) -> DeviceAuthorization {
        let form = [(name: "scope", value: scopes.joined(separator: " "))]
        let request =
            authenticates
            ? try tokenRequest(form, at: .authorizeDevice, url: url)
            : UpstreamRequest(.post, url, at: .authorizeDevice).sending(form: form + [("client_id", clientID)])
        let response = try await upstream.send(request)
        guard response.status < 500, response.status != 429 else { throw response.refusal(at: .authorizeDevice) }
        let answer = try response.decode(DeviceAnswer.self, at: .authorizeDevice)
        guard response.status < 300, let deviceCode = answer.deviceCode, let userCode = answer.userCode,
            let uri = answer.verificationURI, ![deviceCode, userCode, uri].contains("")
        else { throw refusal(answer.error ?? "no device code and no error", response, at: .authorizeDevice) }
        return DeviceAuthorization(
            deviceCode: deviceCode, userCode: userCode, verificationURI: uri,
            verificationURIComplete: answer.verificationURIComplete,
            expiresIn: Int(min(max(answer.expiresIn ?? 900, 1), 3600)),
            interval: Int(min(max(answer.interval ?? 5, 1), 60)))
    }

    /// The status of a device authorization at the token endpoint.
    public enum DevicePoll: Sendable {
        case pending
        case slowDown(interval: Int)
        case granted(UpstreamGrant)
    }

    /// Polls the token endpoint once (RFC 8628 §3.4).
    ///
    /// - Parameters:
    ///   - deviceCode: The device code.
    ///   - authenticates: Whether a confidential client authenticates, as RFC 8628 §3.4 requires; some providers refuse a
    ///     secret in this flow.
    ///   - upstream: The HTTP client.
    ///   - now: The start of `expires_in`.
    /// - Returns: The status, with the grant once the user approved.
    /// - Throws: ``ProviderError`` when the user denied, the code expired, or our client is refused.
    public func pollDeviceAuthorization(
        _ deviceCode: String, authenticates: Bool = true, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> DevicePoll {
        let form = [
            (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:device_code"),
            (name: "device_code", value: deviceCode),
        ]
        let request =
            authenticates
            ? try tokenRequest(form, at: .authorizeDevice)
            : UpstreamRequest(.post, tokenURL, at: .authorizeDevice).sending(form: form + [("client_id", clientID)])
        let response = try await upstream.send(request)
        let answer = try answer(in: response, at: .authorizeDevice)
        if let grant = answer.grant(clientID: clientID, requested: scopes, now: now) { return .granted(grant) }
        switch answer.error {
        case "authorization_pending": return .pending
        case "slow_down": return .slowDown(interval: Int(min(max(answer.interval ?? 10, 1), 60)))
        case "expired_token", "token_expired", "incorrect_device_code":
            throw ProviderError(.credential, at: .authorizeDevice, "the device code expired or is unknown")
        default:
            throw refusal(answer.error ?? "no access token and no error", response, at: .authorizeDevice)
        }
    }
}

/// RFC 8628 §3.2, every member optional.
private struct DeviceAnswer: Decodable {
    let deviceCode: String?
    let userCode: String?
    let verificationURI: String?
    let verificationURIComplete: String?
    let expiresIn: Int64?
    let interval: Int64?
    let error: String?

    enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case verificationURIComplete = "verification_uri_complete"
        case expiresIn = "expires_in"
        case interval, error
    }
}
