import Hummingbird
import ProviderKit

/// `accounts:signInWithCustomToken` of Identity Toolkit v1.
struct CustomTokenRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.account("signInWithCustomToken", legacy: "verifyCustomToken", signInWithCustomToken)
    }

    @Sendable
    func signInWithCustomToken(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await toolkit.app(request, takesProof: true)
        guard let token = try await RequestFields(request).ofThisProject().nonEmpty("token") else {
            throw WireError.code(.missingCustomToken)
        }
        let outcome = try await toolkit.accounts.signIn(customToken: token, origin: context.origin(caller))
        var answer = JSONObject([("kind", "identitytoolkit#VerifyCustomTokenResponse")])
        // Always there, unlike elsewhere; the uid comes with the look-up that follows.
        answer["isNewUser"] = .bool(outcome.isNewUser)
        answer.add(outcome.tokens)
        return .json(.object(answer))
    }
}
