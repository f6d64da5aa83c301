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
        let body = try RefreshBody(await RequestFields(request, acceptsForm: true))
        let origin = context.origin(caller)
        let (facts, tokens) = try await toolkit.sessions.refresh(body.refreshToken, origin: origin) {
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
}

/// The body of the token endpoint, in JSON or as a form.
struct RefreshBody: DeclaredRequest {
    private(set) var refreshToken = ""

    static let body = DeclaredBody<RefreshBody>([
        .text("grantType", orThrow: .code(.missingGrantType), "`refresh_token`.") { (_, type) throws(WireError) in
            guard type == "refresh_token" else { throw .code(.invalidGrantType) }
        }.documented(as: "grant_type").example("refresh_token"),
        .text("refreshToken", orThrow: .code(.missingRefreshToken), "The refresh token of the last answer.") {
            $0.refreshToken = $1
        }.documented(as: "refresh_token").example("<refresh token>"),
    ])
}
