public import StrictJSON

extension OAuth2Client {
    /// A provider's deviations from OAuth 2.
    public struct Dialect: Sendable, Hashable {
        /// The separator of scopes in a request: a space (RFC 6749 §3.3), or the provider's own.
        public var scopeSeparator: String
        /// Whether the provider accepts PKCE parameters (RFC 7636). A few refuse unknown parameters.
        public var sendsCodeChallenge: Bool

        /// Makes a dialect; the defaults are those of OAuth 2 with PKCE.
        public init(scopeSeparator: String = " ", sendsCodeChallenge: Bool = true) {
            self.scopeSeparator = scopeSeparator
            self.sendsCodeChallenge = sendsCodeChallenge
        }
    }

    /// The protocol's parameters of an authorization request, which neither an app nor a configuration may set
    /// (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9101 §5, OpenID Connect Core §3.1.2.1).
    public static let reservedParameters: Set<String> = [
        "client_assertion", "client_assertion_type", "client_id", "client_secret", "code_challenge",
        "code_challenge_method", "id_token_hint", "nonce", "redirect_uri", "registration", "request", "request_uri",
        "response_mode", "response_type", "scope", "state",
    ]

    /// Whether a parameter is one of ``reservedParameters``. Case is ignored, because some providers ignore it.
    public static func isReserved(_ name: String) -> Bool {
        reservedParameters.contains(name.lowercasedASCII)
    }

    /// ``reservedParameters`` in JSON Schema, in any case: for the declaration of an option with names of parameters.
    public static let reservedNames: JSONObject = {
        let names = reservedParameters.sorted().map { name in
            name.map { $0.isLetter ? "[\($0.uppercased())\($0)]" : String($0) }.joined()
        }
        return ["pattern": .string("^(\(names.joined(separator: "|")))$")]
    }()
}

extension OAuth2Client {
    /// The client with other faults for some error codes.
    public func expectingErrors(_ faults: [String: ProviderError.Fault]) -> OAuth2Client {
        OAuth2Client(
            authorizeURL: authorizeURL, tokenURL: tokenURL, clientID: clientID, authentication: authentication,
            scopes: scopes, errorFaults: errorFaults.merging(faults) { _, other in other }, dialect: dialect)
    }
}
