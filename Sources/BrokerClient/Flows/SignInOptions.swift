/// Options of a sign-in through the browser.
public struct SignInOptions: Sendable, Hashable {
    /// Scopes of the provider beyond the basic profile, such as `repo`; the broker's configuration must allow them
    /// (`provider_scope`). They need a provider.
    public var providerScopes: [String]

    /// Further parameters of the authorization request. Names of the protocol, such as `state`, are refused with
    /// ``BrokerAuthError/reservedParameter(_:)``.
    public var parameters: [String: String]

    /// The user's likely e-mail address or name at the provider (`login_hint`, OpenID Connect Core §3.1.2.1).
    public var loginHint: String?

    /// The languages of the pages in order of preference, as BCP 47 tags (`ui_locales`).
    public var languages: [String]

    /// Whether the browser shares no cookies with others and stores none.
    public var isEphemeral: Bool

    /// Whether the app opens the provider's installed app or page itself, where the provider offers it to this app. The
    /// broker's pages are used otherwise, and with ``parameters``.
    public var usesProviderApp: Bool

    /// - Parameters:
    ///   - providerScopes: Scopes of the provider beyond the basic profile.
    ///   - parameters: Further parameters of the authorization request.
    ///   - loginHint: The user's likely e-mail address or name at the provider.
    ///   - languages: The languages of the pages in order of preference.
    ///   - isEphemeral: Whether the browser shares no cookies with others and stores none.
    ///   - usesProviderApp: Whether the app opens the provider's installed app or page itself.
    public init(
        providerScopes: [String] = [], parameters: [String: String] = [:], loginHint: String? = nil,
        languages: [String] = [], isEphemeral: Bool = true, usesProviderApp: Bool = true
    ) {
        self.providerScopes = providerScopes
        self.parameters = parameters
        self.loginHint = loginHint
        self.languages = languages
        self.isEphemeral = isEphemeral
        self.usesProviderApp = usesProviderApp
    }
}
