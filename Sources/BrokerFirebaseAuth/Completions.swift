import Foundation

/// Runs a call and tells its outcome on the main actor, as the calls with a completion handler do.
func complete<Value: Sendable>(
    _ completion: (@MainActor (Value?, (any Error)?) -> Void)?, _ work: @escaping @Sendable () async throws -> Value
) {
    Task {
        do {
            let value = try await work()
            await completion?(value, nil)
        } catch {
            await completion?(nil, error)
        }
    }
}

/// Runs a call without a result and tells its outcome on the main actor.
func complete(_ completion: (@MainActor ((any Error)?) -> Void)?, _ work: @escaping @Sendable () async throws -> Void) {
    Task {
        do {
            try await work()
            await completion?(nil)
        } catch {
            await completion?(error)
        }
    }
}

extension FederatedAuthProvider {
    /// Gets the credential for `work`; where there is none, `completion` is told.
    fileprivate func credential(
        _ uiDelegate: (any AuthUIDelegate)?, else completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)?,
        _ work: @escaping @MainActor (any AuthCredential) -> Void
    ) {
        getCredentialWith(uiDelegate) { credential, error in
            guard let credential else {
                completion?(nil, error)
                return
            }
            work(credential)
        }
    }
}

extension Auth {
    /// ``signInAnonymously()`` with a completion handler.
    ///
    /// - Parameter completion: Called on the main actor with the outcome.
    public func signInAnonymously(completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)? = nil) {
        complete(completion) { try await self.signInAnonymously() }
    }

    /// ``signIn(with:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - credential: What a provider gave, or will give at its page.
    ///   - completion: Called on the main actor with the outcome.
    public func signIn(
        with credential: any AuthCredential, completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)? = nil
    ) { complete(completion) { try await self.signIn(with: credential) } }

    /// ``signIn(with:uiDelegate:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - uiDelegate: Not asked: the system shows the page.
    ///   - completion: Called on the main actor with the outcome.
    public func signIn(
        with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
        completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)?
    ) { provider.credential(uiDelegate, else: completion) { self.signIn(with: $0, completion: completion) } }

    /// ``revokeToken(withAuthorizationCode:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - authorizationCode: A new authorization code of Sign in with Apple.
    ///   - completion: Called on the main actor with the error, if there is one.
    public func revokeToken(
        withAuthorizationCode authorizationCode: String, completion: (@MainActor ((any Error)?) -> Void)? = nil
    ) { complete(completion) { try await self.revokeToken(withAuthorizationCode: authorizationCode) } }
}

extension User {
    /// ``reload()`` with a completion handler.
    ///
    /// - Parameter completion: Called on the main actor with the error, if there is one.
    public func reload(completion: (@MainActor ((any Error)?) -> Void)? = nil) {
        complete(completion) { try await self.reload() }
    }

    /// ``link(with:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - credential: What a provider gave, or will give at its page.
    ///   - completion: Called on the main actor with the outcome.
    public func link(
        with credential: any AuthCredential, completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)? = nil
    ) { complete(completion) { try await self.link(with: credential) } }

    /// ``link(with:uiDelegate:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - uiDelegate: Not asked: the system shows the page.
    ///   - completion: Called on the main actor with the outcome.
    public func link(
        with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
        completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)?
    ) { provider.credential(uiDelegate, else: completion) { self.link(with: $0, completion: completion) } }

    /// ``reauthenticate(with:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - credential: What a provider gave, or will give at its page.
    ///   - completion: Called on the main actor with the outcome.
    public func reauthenticate(
        with credential: any AuthCredential, completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)? = nil
    ) { complete(completion) { try await self.reauthenticate(with: credential) } }

    /// ``reauthenticate(with:uiDelegate:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - uiDelegate: Not asked: the system shows the page.
    ///   - completion: Called on the main actor with the outcome.
    public func reauthenticate(
        with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
        completion: (@MainActor (AuthDataResult?, (any Error)?) -> Void)?
    ) { provider.credential(uiDelegate, else: completion) { self.reauthenticate(with: $0, completion: completion) } }

    /// ``unlink(fromProvider:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - provider: The provider's id.
    ///   - completion: Called on the main actor with the outcome.
    public func unlink(
        fromProvider provider: String, completion: (@MainActor (User?, (any Error)?) -> Void)? = nil
    ) { complete(completion) { try await self.unlink(fromProvider: provider) } }

    /// ``delete()`` with a completion handler.
    ///
    /// - Parameter completion: Called on the main actor with the error, if there is one.
    public func delete(completion: (@MainActor ((any Error)?) -> Void)? = nil) {
        complete(completion) { try await self.delete() }
    }

    /// ``getIDToken(forcingRefresh:)`` with a completion handler.
    ///
    /// - Parameter completion: Called on the main actor with the outcome.
    public func getIDToken(completion: (@MainActor (String?, (any Error)?) -> Void)?) {
        getIDTokenForcingRefresh(false, completion: completion)
    }

    /// ``getIDToken(forcingRefresh:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - forceRefresh: Whether to refresh in any case.
    ///   - completion: Called on the main actor with the outcome.
    public func getIDTokenForcingRefresh(
        _ forceRefresh: Bool, completion: (@MainActor (String?, (any Error)?) -> Void)?
    ) { complete(completion) { try await self.getIDToken(forcingRefresh: forceRefresh) } }

    /// ``getIDTokenResult(forcingRefresh:)`` with a completion handler.
    ///
    /// - Parameter completion: Called on the main actor with the outcome.
    public func getIDTokenResult(completion: (@MainActor (AuthTokenResult?, (any Error)?) -> Void)?) {
        getIDTokenResult(forcingRefresh: false, completion: completion)
    }

    /// ``getIDTokenResult(forcingRefresh:)`` with a completion handler.
    ///
    /// - Parameters:
    ///   - forceRefresh: Whether to refresh in any case.
    ///   - completion: Called on the main actor with the outcome.
    public func getIDTokenResult(
        forcingRefresh forceRefresh: Bool, completion: (@MainActor (AuthTokenResult?, (any Error)?) -> Void)?
    ) { complete(completion) { try await self.getIDTokenResult(forcingRefresh: forceRefresh) } }
}
