import BrokerClient

extension User {
    /// Reads the user's record.
    ///
    /// - Throws: An error of ``AuthErrors/domain``.
    public func reload() async throws {
        let broker = try await current()
        follow(try await auth.translating { () async throws(BrokerAuthError) in try await broker.account() })
    }

    /// Links an identity to the user.
    ///
    /// - Parameter credential: What a provider gave, or will give at its page.
    /// - Returns: The user, and what the provider says.
    /// - Throws: An error of ``AuthErrors/domain``: ``AuthErrorCode/requiresRecentLogin``,
    ///   ``AuthErrorCode/credentialAlreadyInUse`` for an identity of another user,
    ///   ``AuthErrorCode/providerAlreadyLinked``.
    @discardableResult public func link(with credential: any AuthCredential) async throws -> AuthDataResult {
        let (broker, source) = (try await current(), try credential.source)
        return try await auth.result(of: credential) { () async throws(BrokerAuthError) in
            switch source {
            case .token(let token): try await broker.link(token)
            case .page(let provider, let options): try await broker.link(provider, options)
            }
        }
    }

    /// Links an identity to the user at a provider's page.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - uiDelegate: Not asked: the system shows the page.
    /// - Returns: The user, and what the provider says.
    /// - Throws: As ``link(with:)``.
    @discardableResult public func link(
        with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult { try await link(with: try await provider.credential(with: uiDelegate)) }

    /// Removes an identity of the user, and withdraws the grant at the provider.
    ///
    /// - Parameter provider: The provider's id.
    /// - Returns: The user.
    /// - Throws: An error of ``AuthErrors/domain``: ``AuthErrorCode/noSuchProvider`` without such an identity,
    ///   ``AuthErrorCode/operationNotAllowed`` for the last one, ``AuthErrorCode/requiresRecentLogin``.
    @discardableResult public func unlink(fromProvider provider: String) async throws -> User {
        let broker = try await current()
        try await reload()
        guard providerData.contains(where: { $0.providerID == provider }) else {
            throw AuthErrors.error(.noSuchProvider, "The user has no identity at \(provider).")
        }
        follow(
            try await auth.translating { () async throws(BrokerAuthError) in
                try await broker.unlink(ProviderID(rawValue: provider))
            })
        return self
    }

    /// Proves the user again, as sensitive calls require.
    ///
    /// - Parameter credential: What a provider of the user gave, or will give at its page.
    /// - Returns: The user, and what the provider says.
    /// - Throws: An error of ``AuthErrors/domain``: ``AuthErrorCode/userMismatch`` when it is another user's.
    @discardableResult public func reauthenticate(with credential: any AuthCredential) async throws -> AuthDataResult {
        let (broker, source) = (try await current(), try credential.source)
        return try await auth.result(of: credential) { () async throws(BrokerAuthError) in
            switch source {
            case .token(let token): try await broker.reauthenticate(with: token)
            case .page(let provider, let options): try await broker.reauthenticate(with: provider, options)
            }
        }
    }

    /// Proves the user again at a provider's page.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - uiDelegate: Not asked: the system shows the page.
    /// - Returns: The user, and what the provider says.
    /// - Throws: As ``reauthenticate(with:)``.
    @discardableResult public func reauthenticate(
        with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult { try await reauthenticate(with: try await provider.credential(with: uiDelegate)) }

    /// Deletes the user, withdraws all grants at providers and signs out. A user of Apple needs
    /// ``Auth/revokeToken(withAuthorizationCode:)`` before, unless the broker has Apple's refresh token.
    ///
    /// - Throws: An error of ``AuthErrors/domain``: ``AuthErrorCode/requiresRecentLogin``. Nothing was deleted then.
    public func delete() async throws {
        let broker = try await current()
        try await auth.translating { () async throws(BrokerAuthError) in
            do throws(BrokerAuthError) {
                try await broker.deleteAccount()
            } catch .withdrawalFailed {
                // The account is deleted, which is what this call promises.
            }
        }
        await auth.readSession()
    }

    /// A change of name or picture.
    ///
    /// - Returns: The change, without effect until ``UserProfileChangeRequest/commitChanges()``.
    public func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }

    /// The broker, for calls that are about this user.
    ///
    /// - Throws: ``AuthErrorCode/userTokenExpired`` when another user is signed in, or none.
    func current() async throws -> BrokerAuth {
        let broker = try await auth.ready()
        guard auth.currentUser?.uid == uid else {
            throw AuthErrors.error(.userTokenExpired, "The user is not signed in any more.")
        }
        return broker
    }
}
