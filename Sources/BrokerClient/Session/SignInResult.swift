/// The outcome of a sign-in, link or reauthentication.
public struct SignInResult: Sendable {
    /// The session.
    public let session: AuthSession
    /// The provider that was used, if known.
    public let provider: ProviderID?
    /// The user's profile at ``provider``, as the provider sent it, if the broker has one.
    public let profile: ProviderProfile?
    /// The provider's access token, for clients that are registered for it.
    public let providerToken: ProviderToken?
    /// Whether the sign-in created the user.
    public let isNewUser: Bool

    /// - Parameters:
    ///   - session: The session.
    ///   - provider: The provider that was used.
    ///   - profile: The user's profile at the provider.
    ///   - providerToken: The provider's access token.
    ///   - isNewUser: Whether the sign-in created the user.
    public init(
        session: AuthSession, provider: ProviderID? = nil, profile: ProviderProfile? = nil,
        providerToken: ProviderToken? = nil, isNewUser: Bool = false
    ) {
        self.session = session
        self.provider = provider
        self.profile = profile
        self.providerToken = providerToken
        self.isNewUser = isNewUser
    }
}
