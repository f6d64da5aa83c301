import BrokerStore
import Hummingbird
import ProviderKit

/// The Secure Token API: `POST /v1/token` exchanges a refresh token (contract §5.4).
struct TokenRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.on(.post, "/v1/token", counting: .byProof, token)
        routes.on(.post, "/securetoken.googleapis.com/v1/token", counting: .byProof, token)
    }

    @Sendable
    func token(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await toolkit.app(request, onlyKey: true, takesProof: true)
        let refreshToken = try Self.refreshToken(await RequestFields(request, acceptsForm: true))
        let origin = context.origin(caller)
        let (facts, tokens) = try await toolkit.sessions.refresh(refreshToken, origin: origin) {
            try await toolkit.accounts.refreshIdentity($0, origin: origin)
        }
        var answer = JSONObjectWriter(capacity: 3072)
        answer.add("id_token", tokens.idToken)
        answer.add("access_token", tokens.idToken)
        answer.add("expires_in", String(tokens.expiresIn))
        answer.add("refresh_token", tokens.refreshToken)
        answer.add("token_type", "Bearer")
        answer.add("user_id", facts.user.localID)
        answer.add("project_id", toolkit.projectNumber)
        var notices = JSONObject()
        notices.add(facts.notices)
        answer.add(contentsOf: notices)
        return .json(answer.finish())
    }

    /// - Throws: ``WireError`` in the contract's order.
    private static func refreshToken(_ fields: RequestFields) throws(WireError) -> String {
        guard let grantType = try fields.nonEmpty("grantType") else { throw .code(.missingGrantType) }
        guard grantType == "refresh_token" else { throw .code(.invalidGrantType) }
        guard let token = try fields.nonEmpty("refreshToken") else { throw .code(.missingRefreshToken) }
        return token
    }
}
