import HTTPTypes
import Hummingbird
import ProviderKit

/// `/oauth/device_authorization`: a device without a browser asks for a code to show (RFC 8628 §3.1).
struct DeviceAuthorizationRoutes: Sendable {
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.oauth(.post, OAuthPaths.deviceAuthorization, begin)
    }

    @Sendable
    func begin(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let call = try await openID.call(request, context)
        let begun = try await openID.devices.begin(for: call.client, scope: call.parameters[OAuthParameter.scope])
        let answer = DeviceAuthorization(begun, at: openID.issuer)
        var document: JSONObject = [
            "device_code": .string(answer.deviceCode), "user_code": .string(answer.userCode),
            "verification_uri": .string(answer.verificationURI), "expires_in": .integer(Int64(answer.expiresIn)),
            "interval": .integer(Int64(answer.interval)),
        ]
        document["verification_uri_complete"] = answer.verificationURIComplete.map(JSONValue.string)
        return .json(.object(document))
    }
}
