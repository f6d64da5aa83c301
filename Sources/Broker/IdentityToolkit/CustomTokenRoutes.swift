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
        let body = try CustomTokenBody(try await RequestFields(request).ofThisProject())
        let outcome = try await toolkit.accounts.signIn(customToken: body.token, origin: context.origin(caller))
        var answer = JSONObject([("kind", "identitytoolkit#VerifyCustomTokenResponse")])
        // Always there, unlike elsewhere; the uid comes with the look-up that follows.
        answer["isNewUser"] = .bool(outcome.isNewUser)
        answer.add(outcome.tokens)
        return .json(.object(answer))
    }
}

/// The body of `accounts:signInWithCustomToken` (contract §2.3).
struct CustomTokenBody: DeclaredRequest {
    private(set) var token = ""

    static let body = DeclaredBody<CustomTokenBody>([
        .text("token", orThrow: .code(.missingCustomToken), "A token that a service account has signed.") {
            $0.token = $1
        }.example("<custom token>"),
        CommonFields.returnSecureToken(),
    ])
}
