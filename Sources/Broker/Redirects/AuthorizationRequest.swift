/// What a client asks the person for, once it is clear that it may ask: client and redirect URI are registered, and there
/// is a challenge where one is required (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1).
package struct AuthorizationRequest: Codable, Sendable, Equatable {
    /// What the person is asked for although they could go on without (OpenID Connect Core §3.1.2.1).
    package enum Prompt: String, Codable, Sendable {
        case none, login, consent
        case selectAccount = "select_account"
        /// One more identity for the person's account: only in a request that was pushed with an ID token of theirs.
        case link
    }

    package let clientID: String
    package let redirectURI: String
    package let scopes: [String]
    let state: String?
    let nonce: String?
    /// `nil` when the client sent none and need not (RFC 7636).
    let codeChallenge: String?
    package let prompts: [Prompt]
    /// Seconds the person's last active login may be old.
    let maxAge: Int?
    let loginHint: String?
    /// The provider to sign in with, when the client has chosen.
    let provider: String?
    /// The user the client expects, out of its `id_token_hint`.
    let expectedUser: String?
    /// When the client asked, in milliseconds since 1970.
    let askedAt: Int64
    /// What the request was pushed under, to be used up by its code (RFC 9126 §4).
    let pushedAs: String?

    func wants(_ prompt: Prompt) -> Bool { prompts.contains(prompt) }
}
