import BrokerStore
import ProviderKit

/// An authorization request, validated against its client: the redirect URI is registered, and a code challenge is present
/// where it is required (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1).
package struct AuthorizationRequest: Codable, Sendable, Equatable {
    /// The values of `prompt` (OpenID Connect Core §3.1.2.1).
    package enum Prompt: String, Codable, Sendable {
        case none, login, consent
        case selectAccount = "select_account"
        /// Asks for a further identity of the user; only in a request that was pushed with an ID token of the user.
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
    /// The maximum age of the user's last active login, in seconds.
    let maxAge: Int?
    let loginHint: String?
    /// The provider to sign in with, when the client has chosen.
    let provider: String?
    /// Further scopes to ask ``provider`` for, within the entry's `allowedScopes`.
    var providerScopes: [String]?
    /// The user of `id_token_hint`; a `localId`.
    let expectedUser: String?
    /// When the request came, in milliseconds since 1970.
    let askedAt: Int64
    /// The secret of the pushed request, which its code consumes (RFC 9126 §4).
    let pushedAs: String?
    /// The authentication context class that `acr_values` or a scope requires.
    var acr: String?
    /// The providers of which one must authenticate the user, by step-up rules.
    var requiredProviders: [String]?
    /// The authentication methods (RFC 8176) that step-up rules require.
    var requiredMethods: [String]?

    func wants(_ prompt: Prompt) -> Bool { prompts.contains(prompt) }

    /// Whether the user is the one of `id_token_hint`; any user without a hint.
    func expects(_ user: User) -> Bool {
        expectedUser?.hasSameBytes(as: user.localID) ?? true
    }

    /// Whether a session's login has the provider and the methods that step-up rules require.
    func accepts(_ session: Session) -> Bool {
        StepUpRule.isMet(by: session, providers: requiredProviders ?? [], methods: requiredMethods ?? [])
    }

    /// Whether a login satisfies `prompt` and `max_age`, if it was made for this request: a provider may say that it was
    /// earlier.
    func isSatisfied(byOwnLoginAt authTime: Int64, at now: Timestamp) -> Bool {
        let isOwn =
            authTime >= askedAt / 1000 - TokenRules.clockSkew
            && now.seconds &- authTime <= SignInAttempts.lifetime.components.seconds
        return isOwn || isSatisfied(byLoginAt: authTime, at: now)
    }

    /// Whether a login from before the request satisfies `prompt` and `max_age`.
    func isSatisfied(byLoginAt authTime: Int64, at now: Timestamp) -> Bool {
        guard !wants(.login) else { return false }
        guard let maxAge else { return true }
        let (age, isFarAway) = now.seconds.subtractingReportingOverflow(authTime)
        return !isFarAway && age < Int64(maxAge)
    }
}
