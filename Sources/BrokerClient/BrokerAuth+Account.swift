public import Foundation
import ProviderKit
import StrictJSON

extension BrokerAuth {
    /// A valid ID token, refreshed when it expires within a minute. Concurrent calls cause one refresh.
    ///
    /// While the broker cannot be reached, a token that is still valid is returned.
    ///
    /// - Parameter forcingRefresh: Whether to refresh in any case, for example after the token was refused.
    /// - Returns: The token: a secret.
    /// - Throws: ``BrokerAuthError/signedOut`` when no session exists or the broker ended it,
    ///   ``BrokerAuthError/network(_:)``, any ``BrokerAuthError``.
    public func idToken(forcingRefresh: Bool = false) async throws(BrokerAuthError) -> String {
        guard let token = try await current.valid(forcingRefresh: forcingRefresh).idToken else { throw .signedOut }
        return token
    }

    /// A valid access token, as ``idToken(forcingRefresh:)``.
    ///
    /// - Parameter forcingRefresh: Whether to refresh in any case.
    /// - Returns: The token: a secret.
    /// - Throws: As ``idToken(forcingRefresh:)``.
    public func accessToken(forcingRefresh: Bool = false) async throws(BrokerAuthError) -> String {
        guard let token = try await current.valid(forcingRefresh: forcingRefresh).accessToken else { throw .signedOut }
        return token
    }

    /// Refreshes the session's tokens now. ``accessToken(forcingRefresh:)`` does so by itself when it is due.
    ///
    /// - Returns: The session, as the new ID token describes it.
    /// - Throws: As ``idToken(forcingRefresh:)``.
    @discardableResult
    public func refresh() async throws(BrokerAuthError) -> AuthSession {
        guard let session = try await current.valid(forcingRefresh: true).session else { throw .signedOut }
        return session
    }

    /// The refresh token of the session, for a migration to another library.
    ///
    /// An app rarely needs it. The library refreshes by itself, and each refresh replaces the token: another holder who refreshes
    /// with it competes with this library, and a token that is used again later than a minute after its successor ends the
    /// session. A backend gets the access token.
    ///
    /// - Returns: The token, a secret; nil when the session has none.
    /// - Throws: ``BrokerAuthError/signedOut`` without a session, ``BrokerAuthError/storageLocked``,
    ///   ``BrokerAuthError/storageFailed(_:)``.
    public func currentRefreshToken() async throws(BrokerAuthError) -> String? {
        guard let session = try await current.current() else { throw .signedOut }
        return session.refreshToken
    }

    /// The user's record with all identities.
    ///
    /// - Returns: The record.
    /// - Throws: ``BrokerAuthError``.
    public func account() async throws(BrokerAuthError) -> Account { try Account(try await accountEndpoint.get()) }

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
    ) async throws(BrokerAuthError) -> Account {
        var body = JSONObject()
        body["displayName"] = displayName.map(JSONValue.string)
        body["photoUrl"] = (photoURL?.absoluteString).map(JSONValue.string)
        if !removing.isEmpty {
            body["deleteAttribute"] = .array(removing.map(\.rawValue).sorted().map(JSONValue.string))
        }
        return try Account(try await accountEndpoint.post(":update", body))
    }

    /// Removes the user's identity at a provider, and withdraws the grant there.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The changed record.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/lastSignInMethod`` when the broker keeps a user's last identity.
    @discardableResult
    public func unlink(_ provider: ProviderID) async throws(BrokerAuthError) -> Account {
        try Account(try await accountEndpoint.post(AccountEndpoint.provider(provider, "unlink")))
    }

    /// The providers that sign the user in, with what the user has granted there.
    ///
    /// - Returns: The providers, in the order in which they were linked.
    /// - Throws: ``BrokerAuthError``.
    public func connectedProviders() async throws(BrokerAuthError) -> [ConnectedProvider] {
        let answer = try await accountEndpoint.get("/providers")
        return (answer["providers"]?.array ?? []).compactMap(ConnectedProvider.init)
    }

    /// What happened to the user's account: sign-ins, changes, and what administrators did.
    ///
    /// - Parameter limit: How many entries to read at most.
    /// - Returns: The entries, newest first.
    /// - Throws: ``BrokerAuthError``.
    public func history(limit: Int = 100) async throws(BrokerAuthError) -> [AccountEvent] {
        var entries: [AccountEvent] = []
        var next: String?
        repeat {
            var query: [(name: String, value: String)] = [("pageSize", String(min(max(limit - entries.count, 1), 100)))]
            if let next { query.append(("pageToken", next)) }
            let page = try await accountEndpoint.get("/history?\(FormEncoding.encode(query))")
            entries += (page["entries"]?.array ?? []).compactMap(AccountEvent.init)
            next = page["nextPageToken"]?.string
        } while next != nil && entries.count < limit
        return Array(entries.prefix(max(limit, 0)))
    }

    /// All that the broker has stored of the user, as a JSON document. It has no token and nothing of other users.
    ///
    /// - Returns: The document in UTF-8, for a file.
    /// - Throws: ``BrokerAuthError/recentLoginRequired`` when the login is older than five minutes, and any
    ///   ``BrokerAuthError``: the broker answers one export a minute, and ten a day.
    public func exportAccount() async throws(BrokerAuthError) -> Data {
        Data(try await accountEndpoint.post(":export").serializedBytes())
    }

    /// A provider's access token of the user, refreshed by the broker where needed. Only for clients that are registered
    /// for it.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - scopes: The scopes that the token must have.
    /// - Returns: The token.
    /// - Throws: ``BrokerAuthError/reauthorizationRequired``, ``BrokerAuthError/scopeMissing(_:)``,
    ///   ``BrokerAuthError/providerGrantRevoked``, ``BrokerAuthError/operationNotAllowed(_:)``, any ``BrokerAuthError``.
    public func providerToken(
        _ provider: ProviderID, scopes: [String] = []
    ) async throws(BrokerAuthError) -> ProviderToken {
        let answer = try await accountEndpoint.post(
            AccountEndpoint.provider(provider, "token"), ["scopes": .array(scopes.map(JSONValue.string))])
        return try ProviderToken(answer, of: provider)
    }

    /// The user's sessions on all devices.
    ///
    /// - Returns: The sessions that are valid.
    /// - Throws: ``BrokerAuthError``.
    public func sessions() async throws(BrokerAuthError) -> [AccountSession] {
        var sessions: [AccountSession] = []
        var next: String?
        repeat {
            let query = next.map { "?\(FormEncoding.encode([("pageToken", $0)]))" } ?? ""
            let page = try await accountEndpoint.get("/sessions\(query)")
            sessions += (page["sessions"]?.array ?? []).compactMap(AccountSession.init)
            next = page["nextPageToken"]?.string
        } while next != nil
        return sessions
    }

    /// Ends one session of the user; the own one as ``signOut()`` does.
    ///
    /// - Parameter sessionID: The session's id, from ``sessions()``.
    /// - Throws: ``BrokerAuthError/sessionNotFound``, any ``BrokerAuthError``.
    public func signOut(sessionID: String) async throws(BrokerAuthError) {
        let own = try await current.current()?.sessionID
        if own == sessionID { return try await signOut() }
        _ = try await accountEndpoint.post(AccountEndpoint.session(sessionID))
    }

    /// Signs out: removes the session from this device in any case, and revokes it at the broker.
    ///
    /// - Throws: ``BrokerAuthError`` when the broker could not be told, or the storage could not remove the session. The
    ///   user counts as signed out nevertheless.
    public func signOut() async throws(BrokerAuthError) { try await current.signOut() }

    /// Ends all sessions of the user, then removes the one of this device.
    ///
    /// - Throws: ``BrokerAuthError``; when the broker could not be told, nothing has changed.
    public func signOutEverywhere() async throws(BrokerAuthError) {
        _ = try await accountEndpoint.post("/sessions:signOutAll")
        try await current.forget(.requested)
    }

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
        guard let user = try await current.current()?.userID else { throw .signedOut }
        var body = JSONObject()
        if let appleAuthorizationCode {
            body["authorizationCode"] = .string(appleAuthorizationCode)
            body["providerId"] = .string(ProviderID.apple.rawValue)
        }
        let answer: JSONObject
        do throws(BrokerAuthError) {
            // The user that the app knows, also where the broker has merged them into another one meanwhile.
            answer = try await accountEndpoint.post(":delete", body, onlyFor: user)
        } catch {
            // The broker could not turn the code into a token.
            guard appleAuthorizationCode != nil, case .credentialRefused = error else { throw error }
            throw .tokenCreationFailed("INVALID_IDP_RESPONSE")
        }
        try await current.forget(.accountDeleted)
        let receipts = Withdrawal.receipts(in: answer)
        guard !receipts.contains(where: \.hasFailed) else { throw .withdrawalFailed(receipts) }
        return receipts
    }

    /// Asks what has become of the withdrawal of a grant, also after the account was deleted. The broker knows it for 30 days
    /// after its end.
    ///
    /// - Parameter withdrawal: From ``deleteAccount(appleAuthorizationCode:)``. An app may store it.
    /// - Returns: The withdrawal in its state of now; one without a receipt as it is.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/server(code:message:)`` with `NOT_FOUND` when the broker does not know
    ///   the receipt any more.
    public func outcome(of withdrawal: Withdrawal) async throws(BrokerAuthError) -> Withdrawal {
        guard let receipt = withdrawal.receipt else { return withdrawal }
        let members = try await endpoints.connection.document(try endpoints.withdrawal(receipt)).members()
        guard let known = Withdrawal(members) else { throw .network(NetworkFailure(.invalidResponse)) }
        return known
    }
}
