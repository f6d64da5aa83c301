extension GitHubSimulator {
    /// A client registration.
    public struct Application: Sendable, Hashable {
        /// Which of GitHub's two kinds of client this is.
        public enum Kind: Sendable, Hashable {
            /// An OAuth app: `gho_` tokens that do not expire, scopes, callbacks matched by sub-path.
            case oauthApp
            /// A GitHub App acting for a person: `ghu_` tokens without scopes, callbacks matched exactly. Expiring
            /// tokens live eight hours and come with a `ghr_` refresh token.
            case gitHubApp(expiringTokens: Bool = true)
        }

        /// The client identifier; unique.
        public var clientID: String
        /// The client secret.
        public var clientSecret: String
        /// Which kind of client this is.
        public var kind: Kind
        /// The redirect URI, and the target of every error.
        public var callbackURL: String
        /// Further callbacks, for GitHub Apps.
        public var additionalCallbackURLs: [String]
        /// The name on the consent page.
        public var name: String
        /// Whether the device flow is switched on.
        public var deviceFlowEnabled: Bool
        /// Whether a GitHub App holds the permission to read e-mail addresses; OAuth apps have scopes for that.
        public var readsEmailAddresses: Bool
        /// Whether GitHub has suspended the registration.
        public var isSuspended: Bool

        /// Describes a registration; identifier and secret are random unless given.
        ///
        /// The default callback takes any port of 127.0.0.1, as loopback callbacks do.
        public init(
            clientID: String? = nil, clientSecret: String? = nil, kind: Kind = .oauthApp,
            callbackURL: String = "http://127.0.0.1/oauth/callback/github.com", additionalCallbackURLs: [String] = [],
            name: String = "Example application", deviceFlowEnabled: Bool = false, readsEmailAddresses: Bool = true,
            isSuspended: Bool = false
        ) {
            self.clientID = clientID ?? (kind == .oauthApp ? "Ov23li" : "Iv23li") + RandomText.alphanumeric(14)
            self.clientSecret = clientSecret ?? RandomText.hex(40)
            self.kind = kind
            self.callbackURL = callbackURL
            self.additionalCallbackURLs = additionalCallbackURLs
            self.name = name
            self.deviceFlowEnabled = deviceFlowEnabled
            self.readsEmailAddresses = readsEmailAddresses
            self.isSuspended = isSuspended
        }
    }
}
