public import Foundation

extension BrokerAuth {
    /// A valid ID token, refreshed when it expires within a minute. Concurrent calls cause one refresh.
    ///
    /// While the broker cannot be reached, a token that is still valid is returned.
    ///
    /// - Parameter forcingRefresh: Whether to refresh in any case, for example after the token was refused.
    /// - Returns: The token: a secret.
    /// - Throws: ``BrokerAuthError/signedOut`` when no session exists or the broker ended it,
    ///   ``BrokerAuthError/network(_:)``, any ``BrokerAuthError``.
    public func idToken(forcingRefresh: Bool = false) async throws(BrokerAuthError) -> String { throw .signedOut }

    /// A valid access token, as ``idToken(forcingRefresh:)``.
    ///
    /// - Parameter forcingRefresh: Whether to refresh in any case.
    /// - Returns: The token: a secret.
    /// - Throws: As ``idToken(forcingRefresh:)``.
    public func accessToken(forcingRefresh: Bool = false) async throws(BrokerAuthError) -> String { throw .signedOut }

    /// The user's record with all identities.
    ///
    /// - Returns: The record.
    /// - Throws: ``BrokerAuthError``.
    public func account() async throws(BrokerAuthError) -> Account { throw .signedOut }

    /// Changes the user's profile at the broker.
    ///
    /// - Parameters:
    ///   - displayName: The new name; `nil` leaves it.
    ///   - photoURL: The new picture; `nil` leaves it.
    ///   - removing: Attributes to remove.
    /// - Returns: The changed record.
    /// - Throws: ``BrokerAuthError``.
    @discardableResult
    public func updateAccount(
        displayName: String? = nil, photoURL: URL? = nil, removing: Set<AccountAttribute> = []
    ) async throws(BrokerAuthError) -> Account { throw .signedOut }

    /// Removes the user's identity at a provider, and withdraws the grant there.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The changed record.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/server(code:message:)`` when the broker keeps a user's last
    ///   identity.
    @discardableResult
    public func unlink(_ provider: ProviderID) async throws(BrokerAuthError) -> Account { throw .signedOut }

    /// A provider's access token of the user, refreshed by the broker where needed. Only for clients that are registered
    /// for it.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - scopes: The scopes that the token must have.
    /// - Returns: The token.
    /// - Throws: ``BrokerAuthError/server(code:message:)`` with `REAUTHORIZATION_REQUIRED`, `SCOPE_MISSING`, `REVOKED` or
    ///   `OPERATION_NOT_ALLOWED`, any ``BrokerAuthError``.
    public func providerToken(
        _ provider: ProviderID, scopes: [String] = []
    ) async throws(BrokerAuthError) -> ProviderToken { throw .signedOut }

    /// The user's sessions on all devices.
    ///
    /// - Returns: The sessions that are valid.
    /// - Throws: ``BrokerAuthError``.
    public func sessions() async throws(BrokerAuthError) -> [AccountSession] { throw .signedOut }

    /// Ends one session of the user; the own one as ``signOut()`` does.
    ///
    /// - Parameter sessionID: The session's id, from ``sessions()``.
    /// - Throws: ``BrokerAuthError/server(code:message:)`` with `SESSION_NOT_FOUND`, any ``BrokerAuthError``.
    public func signOut(sessionID: String) async throws(BrokerAuthError) { throw .signedOut }

    /// Signs out: removes the session from this device in any case, and revokes it at the broker.
    ///
    /// - Throws: ``BrokerAuthError`` when the broker could not be told, or the storage could not remove the session. The
    ///   user counts as signed out nevertheless.
    public func signOut() async throws(BrokerAuthError) { throw .signedOut }

    /// Ends all sessions of the user, then removes the one of this device.
    ///
    /// - Throws: ``BrokerAuthError``; when the broker could not be told, nothing has changed.
    public func signOutEverywhere() async throws(BrokerAuthError) { throw .signedOut }

    /// Deletes the user, withdraws all grants at providers and removes the session from this device.
    ///
    /// - Parameter appleAuthorizationCode: A new authorization code of Sign in with Apple. Needed when the broker has no
    ///   refresh token of Apple's to revoke.
    /// - Returns: What becomes of the grants.
    /// - Throws: ``BrokerAuthError/recentLoginRequired``, ``BrokerAuthError/tokenCreationFailed(_:)`` and
    ///   ``BrokerAuthError/accountMerged(into:)`` before anything was deleted; ``BrokerAuthError/withdrawalFailed(_:)``
    ///   after the deletion; any ``BrokerAuthError``.
    @discardableResult
    public func deleteAccount(appleAuthorizationCode: String? = nil) async throws(BrokerAuthError) -> [Withdrawal] {
        throw .signedOut
    }
}
