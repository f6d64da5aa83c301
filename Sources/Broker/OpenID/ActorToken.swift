import BrokerStore
import ProviderKit

/// The signed-in user of an exchange that links or reauthenticates (RFC 8693 §2.1, `actor_token`).
extension OpenIDContext {
    /// The session behind an actor token, which has to be one of the same client, and the scopes of the token.
    ///
    /// - Throws: ``OAuthError`` for any other token.
    func session(
        ofActor token: String, _ client: Client
    ) async throws -> (facts: SessionFacts, scopes: Scopes) {
        guard
            let (facts, claims) = try await verifier.session(
                behind: token, .accessToken, at: now, with: Identity.self),
            claims.clientID.hasSameBytes(as: client.id)
        else {
            throw OAuthError(
                .invalidGrant,
                ErrorCode.tokenExpired.message("actor_token is no valid access token of this client."))
        }
        return (facts, claims.scopes)
    }

    /// A link changes how the user signs in: it needs what the user's own account needs.
    ///
    /// - Throws: ``OAuthError`` without the scope; ``BrokerError/stepUpRequired(_:)``.
    func requireControl(of user: SessionFacts, _ scopes: Scopes) throws {
        guard scopes.contains(.account) else {
            throw OAuthError(.invalidScope, "actor_token needs the scope account to link.")
        }
        guard user.canLogInAgain else { return }
        try policy.requireStepUp(by: .account, user.session, at: now)
    }

    /// Refuses what no credential of a provider can change, before one is verified: that may use it up.
    ///
    /// - Throws: ``BrokerError/userMismatch``, ``BrokerError/recentLoginRequired``, ``BrokerError/stepUpRequired(_:)``.
    func check(_ user: SessionFacts, mayUse provider: String, isReauthentication: Bool) throws(BrokerError) {
        guard isReauthentication else { return try accounts.requireRecentLogin(user, toLinkAt: provider) }
        guard user.identities.contains(where: { $0.provider.hasSameBytes(as: provider) }) else { throw .userMismatch }
    }
}
