import HTTPTypes
import Hummingbird
import ProviderKit

/// `/oauth/device_authorization`: a device without a browser asks for a code to show (RFC 8628 §3.1).
struct DeviceAuthorizationRoutes: Sendable {
    let requests: OAuthRequests
    let devices: DeviceAuthorizations
    let publicURL: String

    func add(to routes: Routes) {
        routes.oauth(.post, OAuthPaths.deviceAuthorization, begin)
    }

    @Sendable
    func begin(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let call = try await requests(request, context)
        let begun = try await devices.begin(for: call.client, scope: call.parameters["scope"])
        return .json([
            "device_code": .string(begun.deviceCode), "user_code": .string(begun.userCode.text),
            "verification_uri": .string(publicURL + OAuthPaths.devicePage),
            "verification_uri_complete": .string(publicURL + OAuthPaths.devicePage(showing: begun.userCode.text)),
            "expires_in": .integer(DeviceAuthorizations.lifetime.components.seconds),
            "interval": .integer(DeviceAuthorizations.interval),
        ])
    }
}
