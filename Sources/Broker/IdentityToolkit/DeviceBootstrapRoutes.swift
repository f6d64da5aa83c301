import Hummingbird
import ProviderKit

/// `POST /v1/broker/devices:bootstrap`: signs a device in, in Identity Toolkit's style. No API of Firebase covers it.
struct DeviceBootstrapRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.on(.post, "/v1/broker/devices:bootstrap", counting: .byProof, bootstrap)
    }

    @Sendable
    func bootstrap(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await toolkit.app(request, takesProof: true)
        let fields = try await RequestFields(request).ofThisProject()
        let introduction = try DeviceIntroduction(fields)
        let result = try await toolkit.accounts.signInDevice(introduction, origin: context.origin(caller))
        var body = try await toolkit.answer(result.outcome, of: result.credential, to: caller)
        body["kind"] = "broker#BootstrapDeviceResponse"
        body["deviceSecret"] = result.newSecret.map(JSONValue.string)
        return .json(.object(body))
    }
}

extension DeviceIntroduction {
    /// - Throws: ``WireError``; no message repeats what was sent.
    fileprivate init(_ fields: RequestFields) throws(WireError) {
        guard let provider = try fields.nonEmpty("providerId") else {
            throw .code(.invalidCredentialOrProviderID, "providerId is missing.")
        }
        guard let deviceID = try fields.nonEmpty("deviceId"), Self.isID(deviceID, limit: 128),
            let platform = try fields.nonEmpty("platform"), Self.isID(platform, limit: 32)
        else {
            throw .code(
                .invalidDevice,
                "Send deviceId, 16 to 128 characters that no other device has, and platform, such as ios.")
        }
        guard deviceID.utf8.count >= 16 else {
            throw .code(.invalidDevice, "deviceId has fewer than 16 characters: use a random UUID.")
        }
        self.init(
            provider: provider.lowercasedASCII, deviceID: deviceID, platform: platform,
            secret: try fields.nonEmpty("deviceSecret"), accessToken: try fields.nonEmpty("accessToken"))
    }

    /// Visible ASCII characters, as 1Pass takes them in identifiers.
    private static func isID(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
