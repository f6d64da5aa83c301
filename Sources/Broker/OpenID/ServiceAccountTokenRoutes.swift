import Hummingbird
import ProviderKit

/// The token endpoint of service accounts (RFC 7523 §2.1), apart from that of clients: the assertion is grant and
/// authentication in one.
struct ServiceAccountTokenRoutes: Sendable {
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.oauth(.post, ServiceAccountKeyFile.tokenPath, pages: .none, token)
    }

    @Sendable
    func token(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let parameters = try await FormBody(of: request).parameters
        guard try parameters.required(OAuthParameter.grantType).hasSameBytes(as: ServiceAccountAssertions.grantType)
        else {
            throw OAuthError(
                .unsupportedGrantType, "grant_type must be \(ServiceAccountAssertions.grantType).")
        }
        let token = try await openID.assertions.exchange(
            try parameters.required(OAuthParameter.assertion), scope: parameters[OAuthParameter.scope])
        return .json([
            "access_token": .string(token.text), "token_type": "Bearer", "expires_in": .integer(token.lifetime),
            "scope": .string(token.scope),
        ])
    }
}
