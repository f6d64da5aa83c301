import BrokerStore
import Foundation
import HTTPTypes
import Hummingbird
import ProviderKit

/// The userinfo endpoint, `/oauth/userinfo` (OpenID Connect Core §5.3).
struct UserInfoRoutes: Sendable {
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.oauth(.get, OAuthPaths.userInfo, pages: .ofClients) { request, _ in
            try await answer(try request.bearerToken())
        }
        routes.oauth(.post, OAuthPaths.userInfo, pages: .ofClients) { request, _ in
            try await answer(try await Self.token(request))
        }
    }

    private func answer(_ token: String?) async throws -> Response {
        guard let token else { throw OAuthError.missingToken }
        let now = openID.now
        guard
            let (facts, claims) = try await openID.verifier.session(
                behind: token, .accessToken, at: now, with: TokenIdentity.self)
        else { throw OAuthError.invalidToken }
        guard claims.scopes.contains(.openid) else { throw OAuthError.insufficientScope(.openid) }
        let unmet = openID.policy.stepUp.first { rule in
            (rule.routes.contains(.userInfo) || rule.isRequired(by: claims.scopes))
                && !rule.isSatisfied(by: facts.session, at: now)
        }
        if let unmet { throw OAuthError.insufficientUserAuthentication(unmet) }
        let subject = SessionClaim.Subject(
            facts, issuer: openID.issuer, scopes: claims.scopes, stepUp: openID.policy.stepUp, at: now)
        return .json(.object(SessionClaim.claims(of: .userInfo, subject)))
    }

    /// The token of the header or of the form (RFC 6750 §2.2), but not of both; never one in the URL, which logs would
    /// store.
    private static func token(_ request: Request) async throws -> String? {
        let header = try request.bearerToken()
        // Libraries post without a body, or with one of another type, when the token is in the header.
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        else { return header }
        let posted = try await FormBody(of: request).parameters[OAuthParameter.accessToken]
        guard header == nil || posted == nil else {
            throw OAuthError(.invalidRequest, "Send the access token in one way only.")
        }
        return header ?? posted
    }
}
