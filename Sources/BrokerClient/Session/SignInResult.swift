/// The outcome of a sign-in, link or reauthentication.
public struct SignInResult: Sendable {
    /// The session.
    public let session: AuthSession
    /// The provider that was used, if known.
    public let provider: ProviderID?
    /// The user's record, with the scope `account`.
    public let account: Account?
    /// The provider's access token, for clients that are registered for it.
    public let providerToken: ProviderToken?
    /// Whether the sign-in created the user.
    public let isNewUser: Bool

    /// The user's profile at ``provider``, as the provider sent it, if the broker has one.
    public var profile: ProviderProfile? { provider.flatMap { account?.identity(at: $0)?.profile } }

    /// - Parameters:
    ///   - session: The session.
    ///   - provider: The provider that was used.
    ///   - account: The user's record.
    ///   - providerToken: The provider's access token.
    ///   - isNewUser: Whether the sign-in created the user.
    public init(
        session: AuthSession, provider: ProviderID? = nil, account: Account? = nil,
        providerToken: ProviderToken? = nil, isNewUser: Bool = false
    ) {
        self.session = session
        self.provider = provider
        self.account = account
        self.providerToken = providerToken
        self.isNewUser = isNewUser
    }
}
