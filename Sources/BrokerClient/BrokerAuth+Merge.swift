import ProviderKit
import StrictJSON

/// Joins two accounts of the same user, who has logged in to both, and takes them apart again.
extension BrokerAuth {
    /// Has the user log in to another account of theirs, for a merge. The session stays as it is.
    ///
    /// - Parameters:
    ///   - provider: A provider of the other account; `nil` lets the user choose.
    ///   - options: Options of the request. The browser shares no cookies in any case: they could log in to this account.
    /// - Returns: The login, for five minutes.
    /// - Throws: ``BrokerAuthError``.
    public func signInToOtherAccount(
        with provider: ProviderID? = nil, _ options: SignInOptions = .init()
    ) async throws(BrokerAuthError) -> OtherAccount {
        var options = options
        options.isEphemeral = true
        let goal = AuthorizationGoal(purpose: .signIn, provider: provider, options: options)
        let endpoints = endpoints.requesting(scopesApart)
        return OtherAccount(
            try await loginApart { (_) async throws(BrokerAuthError) in
                try await flowApart(endpoints).tokens(for: goal)
            })
    }

    /// The same with a provider's ID token.
    ///
    /// - Parameter credential: The ID token and the nonce of its request.
    /// - Returns: The login, for five minutes.
    /// - Throws: ``BrokerAuthError``.
    public func signInToOtherAccount(
        with credential: ProviderCredential
    ) async throws(BrokerAuthError) -> OtherAccount {
        defer { keep(credential) }
        let exchange = TokenExchange(endpoints: endpoints.requesting(scopesApart))
        return OtherAccount(
            try await loginApart { (_) async throws(BrokerAuthError) in
                (try await exchange.tokens(for: credential, .signIn, actorToken: nil), .absent)
            })
    }

    /// Shows what a merge would join, and what stands in its way. Nothing is changed.
    ///
    /// - Parameter other: From ``signInToOtherAccount(with:_:)``.
    /// - Returns: Both accounts and the two choices of who remains.
    /// - Throws: ``BrokerAuthError/mergeOfOneUser``, ``BrokerAuthError/otherLoginInvalid(_:)``,
    ///   ``BrokerAuthError/recentLoginRequired``, any ``BrokerAuthError``.
    public func previewMerge(with other: OtherAccount) async throws(BrokerAuthError) -> MergePreview {
        MergePreview(try await accountEndpoint.post(":previewMerge", ["otherToken": .string(other.accessToken)]))
    }

    /// Merges two accounts. Where the session's user goes, the session of an app that is the operator's own continues as the
    /// other user's, and the ``AccountDataHandler`` moves the app's data; of any other app it ends.
    ///
    /// - Parameters:
    ///   - other: From ``signInToOtherAccount(with:_:)``.
    ///   - survivor: The id of the user who remains: the session's or ``OtherAccount/userID``.
    /// - Returns: The merge.
    /// - Throws: As ``previewMerge(with:)``, ``BrokerAuthError/mergeConflict``,
    ///   ``BrokerAuthError/mergeNeedsAdministrator``; nothing has changed then.
    @discardableResult
    public func merge(
        with other: OtherAccount, keeping survivor: String
    ) async throws(BrokerAuthError) -> AccountMerge {
        let members = try await accountEndpoint.post(
            ":merge", ["otherToken": .string(other.accessToken), "survivor": .string(survivor)])
        let merge = try AccountMerge(members)
        // The new tokens tell of the merge. Where they cannot be had now, the next refresh does.
        _ = try? await current.valid(forcingRefresh: true)
        try? await endpoints.revoke(other.accessToken)
        return merge
    }

    /// The merges that the user asked for in the last 30 days and can undo.
    ///
    /// - Returns: The merges, the oldest first.
    /// - Throws: ``BrokerAuthError``.
    public func merges() async throws(BrokerAuthError) -> [UndoableMerge] {
        (try await accountEndpoint.get("/merges")["merges"]?.array ?? []).compactMap(UndoableMerge.init)
    }

    /// Takes two accounts apart again. All sessions of both end, also the one of this device.
    ///
    /// - Parameters:
    ///   - id: The merge's id, from ``merges()``.
    ///   - other: A login with an identity of the other side: the merge brought that of one of the two logins, and not that
    ///     of the other.
    /// - Returns: What has not come back.
    /// - Throws: ``BrokerAuthError/mergeNotFound``, ``BrokerAuthError/otherLoginInvalid(_:)``,
    ///   ``BrokerAuthError/mergeNeedsAdministrator``, any ``BrokerAuthError``.
    @discardableResult
    public func undoMerge(_ id: String, with other: OtherAccount) async throws(BrokerAuthError) -> [MergeConflict] {
        let members = try await accountEndpoint.post(
            AccountEndpoint.undo(id), ["otherToken": .string(other.accessToken)])
        try await current.forget(.endedByBroker)
        return MergeConflict.all(in: members["conflicts"])
    }
}

extension OtherAccount {
    fileprivate init(_ tokens: VerifiedTokens) {
        userID = tokens.claims.subject
        (email, name) = (tokens.claims.email, tokens.claims.name)
        accessToken = tokens.answer.accessToken
    }
}
