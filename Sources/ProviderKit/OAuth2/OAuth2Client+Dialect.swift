extension OAuth2Client {
    /// Where a provider departs from the letter of OAuth 2.
    public struct Dialect: Sendable, Hashable {
        /// What stands between two scopes of a request: a space (RFC 6749 §3.3), or what the provider reads instead.
        public var scopeSeparator: String
        /// Whether the provider puts up with PKCE (RFC 7636). Few refuse parameters they do not know.
        public var sendsCodeChallenge: Bool

        /// The letter of OAuth 2, with PKCE, except where said otherwise.
        public init(scopeSeparator: String = " ", sendsCodeChallenge: Bool = true) {
            self.scopeSeparator = scopeSeparator
            self.sendsCodeChallenge = sendsCodeChallenge
        }
    }

    /// Parameters of an authorization request that carry the protocol: neither an app nor a configuration sets them
    /// (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9101 §5, OpenID Connect Core §3.1.2.1).
    public static let reservedParameters: Set<String> = [
        "client_assertion", "client_assertion_type", "client_id", "client_secret", "code_challenge",
        "code_challenge_method", "id_token_hint", "nonce", "redirect_uri", "registration", "request", "request_uri",
        "response_mode", "response_type", "scope", "state",
    ]

    /// Whether a parameter is one of ``reservedParameters``, in any case: some providers read names without it.
    public static func isReserved(_ name: String) -> Bool {
        reservedParameters.contains(name.lowercasedASCII)
    }
}

extension OAuth2Client {
    /// The same client with another opinion on who has to act on some error codes.
    public func expectingErrors(_ faults: [String: ProviderError.Fault]) -> OAuth2Client {
        OAuth2Client(
            authorizeURL: authorizeURL, tokenURL: tokenURL, clientID: clientID, authentication: authentication,
            scopes: scopes, errorFaults: errorFaults.merging(faults) { _, other in other }, dialect: dialect)
    }
}
