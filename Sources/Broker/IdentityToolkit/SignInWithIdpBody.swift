import ProviderKit

/// The body of `signInWithIdp` (contract §2.2), and of `credentials:exchange`.
struct SignInWithIdpBody: DeclaredRequest {
    private(set) var requestURI: String?
    private(set) var postBody: String?
    private(set) var pendingToken: String?
    private(set) var sessionID: String?
    private(set) var idToken: String?
    private(set) var createsUser: Bool?
    private(set) var returnsConflict = false

    static let body = DeclaredBody<SignInWithIdpBody>(
        response,
        [
            .text(
                "pendingToken", "The token of an earlier answer, in place of `postBody`: it stands for the credential."
            ) { $0.pendingToken = $1 },
            .text("idToken", "An ID token of the user who gets the credential; without it the user signs in.") {
                $0.idToken = $1
            },
            .flag(
                "autoCreate",
                "Whether a new user is created for an unknown identity; `true` unless the sign-in was "
                    + "begun to reauthenticate."
            ) { $0.createsUser = $1 },
            .flag(
                "returnIdpCredential",
                "Whether a conflict of a link is answered with `errorMessage` and the credential, not as an error."
            ) { $0.returnsConflict = $1 == true },
            CommonFields.returnSecureToken(),
        ])

    /// The body of `credentials:exchange`, which takes an authorization response alone.
    static let exchange = DeclaredBody<SignInWithIdpBody>(
        response.map { field in
            var field = field
            if field.name == "sessionId" { (field.isRequired, field.example) = (true, "<session id>") }
            if field.name == "requestUri" { field.example = "https://app.example/callback?code=4f0a&state=af0ifjsldkj" }
            if field.name == "postBody" { field.example = nil }
            return field
        })

    private static let response: [BodyField<SignInWithIdpBody>] = [
        // A request without it is counted before it is refused.
        .text(
            "requestUri",
            "The address that the provider's answer was sent to, with its query and fragment; `http://localhost` for a "
                + "credential in `postBody`."
        ) { $0.requestURI = $1 }.required().example("http://localhost"),
        .emptyableText(
            "postBody",
            "The form that the provider posted, or a credential as a form: `providerId` with `id_token`, `access_token`, "
                + "or `code` and `code_verifier`, and `nonce`."
        ) { $0.postBody = $1 }.example("access_token=<provider token>&providerId=github.com"),
        .text("sessionId", "The session id of `createAuthUri`, which began the sign-in.") { $0.sessionID = $1 },
    ]
}
