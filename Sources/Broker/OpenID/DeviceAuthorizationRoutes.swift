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
        let begun = try await openID.devices.begin(for: call.client, scope: call.parameters["scope"])
        return .json([
            "device_code": .string(begun.deviceCode), "user_code": .string(begun.userCode.text),
            "verification_uri": .string(openID.issuer + OAuthPaths.devicePage),
            "verification_uri_complete": .string(openID.issuer + OAuthPaths.devicePage(showing: begun.userCode.text)),
            "expires_in": .integer(DeviceAuthorizations.lifetime.components.seconds),
            "interval": .integer(DeviceAuthorizations.interval),
        ])
    }
}
