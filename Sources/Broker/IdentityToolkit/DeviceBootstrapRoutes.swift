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
        let introduction = try BootstrapDeviceBody(try await RequestFields(request).ofThisProject()).introduction
        let result = try await toolkit.accounts.signInDevice(introduction, origin: context.origin(caller))
        var body = try await toolkit.answer(result.outcome, of: result.credential, to: caller)
        body["kind"] = "broker#BootstrapDeviceResponse"
        body["deviceSecret"] = result.newSecret.map(JSONValue.string)
        return .json(.object(body))
    }
}

/// The body of `devices:bootstrap`.
struct BootstrapDeviceBody: DeclaredRequest {
    private var provider = ""
    private var deviceID: String?
    private var platform: String?
    private var secret: String?
    private var accessToken: String?

    /// - Throws: ``BrokerError/invalidDevice``; no message repeats what was sent.
    var introduction: DeviceIntroduction {
        get throws(BrokerError) {
            try DeviceIntroduction(
                provider: provider, deviceID: deviceID, platform: platform, secret: secret, accessToken: accessToken)
        }
    }

    static let body = DeclaredBody<BootstrapDeviceBody>([
        .text(
            "providerId", orThrow: .code(.invalidCredentialOrProviderID, "providerId is missing."),
            "A provider that signs devices in."
        ) { $0.provider = $1.lowercasedASCII }.example("onepass.example"),
        .text("deviceId", "The app's id of the device: 16 to 128 visible ASCII characters.") { $0.deviceID = $1 }
            .required().example("2f1a6c4e9b7d4f0a"),
        .text("platform", "The device's platform: 1 to 32 visible ASCII characters.") { $0.platform = $1 }
            .required().example("ios"),
        .text("deviceSecret", "The secret that the broker issued to the device; absent the first time.") {
            $0.secret = $1
        },
        .text("accessToken", "The provider's access token of the user, where the provider exchanges it.") {
            $0.accessToken = $1
        },
    ])
}
