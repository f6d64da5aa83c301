import ProviderKit

extension BrokerAuth {
    /// Signs a user in at the broker's pages, where they choose a provider.
    ///
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``.
    public func signIn() async throws(BrokerAuthError) -> SignInResult { try await signIn(options: .init()) }

    /// Signs a user in at the broker's pages, where they choose a provider.
    ///
    /// - Parameter options: Options of the request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``.
    public func signIn(options: SignInOptions) async throws(BrokerAuthError) -> SignInResult {
        try await throughBrowser(.signIn, nil, options)
    }

    /// Signs a user in at a provider through the browser.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - options: Options of the request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``.
    public func signIn(
        with provider: ProviderID, _ options: SignInOptions = .init()
    ) async throws(BrokerAuthError) -> SignInResult {
        try await throughBrowser(.signIn, provider, options)
    }

    /// Signs a user in with a provider's ID token (RFC 8693).
    ///
    /// - Parameter credential: The ID token and the nonce of its request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/missingOrInvalidNonce`` when the nonce was not sent as its SHA-256
    ///   in hexadecimal, ``BrokerAuthError/needConfirmation(providers:)`` when another account has its e-mail address.
    public func signIn(with credential: ProviderCredential) async throws(BrokerAuthError) -> SignInResult {
        try await exchanging(credential, .signIn)
    }

    /// Creates an anonymous user. ``link(_:_:)`` makes them a user with an identity, under the same id.
    ///
    /// - Returns: The session.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/adminOnlyOperation`` when the broker has no anonymous users.
    public func signInAnonymously() async throws(BrokerAuthError) -> SignInResult {
        let tokens = TokenExchange(endpoints: endpoints)
        return try await perform(.signIn, provider: nil, isAnonymous: true) { (_) async throws(BrokerAuthError) in
            (try await tokens.anonymous(), .absent)
        }
    }

    /// Links an identity of a provider to the signed-in user, through the browser.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - options: Options of the request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/recentLoginRequired`` when the login is too old,
    ///   ``BrokerAuthError/accountExists(providers:)`` when the identity belongs to a user already,
    ///   ``BrokerAuthError/providerAlreadyLinked`` when the user has another identity of the provider.
    public func link(
        _ provider: ProviderID, _ options: SignInOptions = .init()
    ) async throws(BrokerAuthError) -> SignInResult {
        try await throughBrowser(.link, provider, options)
    }

    /// Links the identity of a provider's ID token to the signed-in user.
    ///
    /// - Parameter credential: The ID token and the nonce of its request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``, as ``link(_:_:)``.
    public func link(_ credential: ProviderCredential) async throws(BrokerAuthError) -> SignInResult {
        try await exchanging(credential, .link)
    }

    /// Authenticates the signed-in user again through the browser, as sensitive calls require. The session continues with
    /// a new ``AuthSession/authTime``.
    ///
    /// - Parameters:
    ///   - provider: A provider of the user; `nil` lets the user choose.
    ///   - options: Options of the request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/userMismatch`` when another user authenticated, and the session is
    ///   unchanged then.
    public func reauthenticate(
        with provider: ProviderID? = nil, _ options: SignInOptions = .init()
    ) async throws(BrokerAuthError) -> SignInResult {
        try await throughBrowser(.reauthenticate, provider, options)
    }

    /// Authenticates the signed-in user again with a provider's ID token.
    ///
    /// - Parameter credential: The ID token and the nonce of its request.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``, as ``reauthenticate(with:_:)``.
    public func reauthenticate(with credential: ProviderCredential) async throws(BrokerAuthError) -> SignInResult {
        try await exchanging(credential, .reauthenticate)
    }

    /// Begins a sign-in that the user approves in the browser of another device (RFC 8628).
    ///
    /// - Returns: What to show, for ``signIn(approvedOn:)``.
    /// - Throws: ``BrokerAuthError``.
    public func beginDeviceSignIn() async throws(BrokerAuthError) -> DeviceAuthorization {
        try await DeviceFlow(endpoints: endpoints, environment: environment).begin()
    }

    /// Waits until the user has approved the device.
    ///
    /// - Parameter authorization: From ``beginDeviceSignIn()``.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError/userCancelled`` when the user denied it, ``BrokerAuthError/deviceCodeExpired`` when
    ///   the user did not decide in time, any ``BrokerAuthError``.
    public func signIn(
        approvedOn authorization: DeviceAuthorization
    ) async throws(BrokerAuthError) -> SignInResult {
        let flow = DeviceFlow(endpoints: endpoints, environment: environment)
        return try await perform(.signIn, provider: nil) { (_) async throws(BrokerAuthError) in
            (try await flow.tokens(for: authorization), .absent)
        }
    }
}
