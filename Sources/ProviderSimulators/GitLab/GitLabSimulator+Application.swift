extension GitLabSimulator {
    /// A client registration.
    public struct Application: Sendable, Hashable {
        /// The client id, GitLab's "Application ID"; unique.
        public var clientID: String
        /// The client secret.
        public var clientSecret: String
        /// The redirect URIs; a request names one of them exactly, but for the port of a loopback address.
        public var redirectURIs: [String]
        /// The name on the consent page.
        public var name: String
        /// The scopes that are ticked in the registration; others are `invalid_scope`.
        public var scopes: [String]
        /// Whether the client has to prove itself; a public one has PKCE alone.
        public var isConfidential: Bool
        /// Whether an administrator has marked it as trusted: no consent is required.
        public var isTrusted: Bool

        /// Describes a registration; identifier and secret are random unless given.
        ///
        /// The default redirect URI takes any port of 127.0.0.1, as loopback addresses do.
        public init(
            clientID: String? = nil, clientSecret: String? = nil,
            redirectURIs: [String] = ["http://127.0.0.1/oauth/callback/gitlab.com"],
            name: String = "Example application", scopes: [String] = ["openid", "profile", "email", "read_user"],
            isConfidential: Bool = true, isTrusted: Bool = false
        ) {
            self.clientID = clientID ?? RandomText.hex(64)
            self.clientSecret = clientSecret ?? "gloas-" + RandomText.hex(64)
            self.redirectURIs = redirectURIs
            self.name = name
            self.scopes = scopes
            self.isConfidential = isConfidential
            self.isTrusted = isTrusted
        }
    }
}
