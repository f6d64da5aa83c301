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
    /// - Throws: ``WireError``, ``BrokerError/invalidDevice``; no message repeats what was sent.
    fileprivate init(_ fields: RequestFields) throws {
        guard let provider = try fields.nonEmpty("providerId") else {
            throw WireError.code(.invalidCredentialOrProviderID, "providerId is missing.")
        }
        try self.init(
            provider: provider.lowercasedASCII, deviceID: try fields.nonEmpty("deviceId"),
            platform: try fields.nonEmpty("platform"), secret: try fields.nonEmpty("deviceSecret"),
            accessToken: try fields.nonEmpty("accessToken"))
    }
}
