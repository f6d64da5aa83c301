public import StrictJSON

extension OAuth2Client {
    /// A provider's deviations from OAuth 2.
    public struct Dialect: Sendable, Hashable {
        /// The separator of scopes in a request: a space (RFC 6749 §3.3), or the provider's own.
        public var scopeSeparator: String
        /// Whether the provider accepts PKCE parameters (RFC 7636). A few refuse unknown parameters.
        public var sendsCodeChallenge: Bool
        /// The deviations of authorization requests.
        public var authorizationRequest = AuthorizationRequest()
        /// The deviations of requests to the token endpoint.
        public var tokenRequest = TokenRequest()
        /// The deviations of its responses.
        public var tokenResponse = TokenResponse()

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

    /// The protocol's parameters of a token request, which a configuration may not set (RFC 6749 §4.1.3, §6; RFC 7521
    /// §4.2; RFC 7636 §4.5).
    public static let reservedTokenParameters: Set<String> = [
        "client_assertion", "client_assertion_type", "client_id", "client_secret", "code", "code_verifier",
        "device_code", "grant_type", "redirect_uri", "refresh_token",
    ]

    /// Whether a parameter is one of ``reservedTokenParameters``, ignoring case.
    public static func isReservedInTokenRequest(_ name: String) -> Bool {
        reservedTokenParameters.contains(name.lowercasedASCII)
    }

    /// The names of members that hold tokens, wherever a response has them.
    public static let namesOfTokens: Set<String> = [
        "access_token", "id_token", "mac_key", "refresh_token", "session_key", "token",
    ]

    /// ``reservedParameters`` in JSON Schema, in any case: for the declaration of an option with names of parameters.
    public static let reservedNames = pattern(of: reservedParameters)

    /// ``reservedTokenParameters`` in JSON Schema, in any case.
    public static let reservedTokenNames = pattern(of: reservedTokenParameters)

    private static func pattern(of names: Set<String>) -> JSONObject {
        let names = names.sorted().map { name in
            name.map { $0.isLetter ? "[\($0.uppercased())\($0)]" : String($0) }.joined()
        }
        return ["pattern": .string("^(\(names.joined(separator: "|")))$")]
    }
}

extension OAuth2Client.Dialect {
    /// An authorization request with other names of the client's parameters (RFC 6749 §4.1.1).
    public struct AuthorizationRequest: Sendable, Hashable {
        /// The name of `client_id`.
        public var clientIDName = "client_id"
        /// The name of `scope`.
        public var scopeName = "scope"
        /// The fragment of the URL, which a few providers demand.
        public var fragment: String?

        /// Makes the request of OAuth 2.
        public init() {}
    }

    /// A request to the token endpoint in another form (RFC 6749 §4.1.3).
    public struct TokenRequest: Sendable, Hashable {
        /// The place of its parameters.
        public enum Format: Sendable, Hashable {
            /// A form in the body, as in OAuth 2.
            case form
            /// A JSON object in the body.
            case json
            /// The query of a `GET` request, which keeps nothing secret from logs of the provider.
            case query
        }

        /// The place of its parameters.
        public var format = Format.form
        /// The name of `client_id`.
        public var clientIDName = "client_id"
        /// The name of `client_secret`.
        public var clientSecretName = "client_secret"
        /// Further parameters, by name.
        public var parameters: [String: String] = [:]
        /// The parameters of the authorization response that the exchange of its code repeats, by name.
        public var callbackParameters: [String] = []

        /// Makes the request of OAuth 2.
        public init() {}
    }

    /// A response of the token endpoint whose members are elsewhere (RFC 6749 §5.1).
    public struct TokenResponse: Sendable, Hashable {
        /// The place of `access_token`; `token_type` is beside it.
        public var accessToken = standard("access_token")
        /// The place of `refresh_token`.
        public var refreshToken = standard("refresh_token")
        /// The place of `expires_in`.
        public var expiresIn = standard("expires_in")
        /// The place of `scope`.
        public var scope = standard("scope")
        /// Further values of `token_type` whose tokens are used like those of the type `Bearer`.
        public var bearerTypes: [String] = []

        /// Makes the response of OAuth 2.
        public init() {}

        private static func standard(_ name: String) -> JSONPointer { JSONPointer(names: [name]) }
    }
}

extension OAuth2Client {
    /// The client with other faults for some error codes.
    public func expectingErrors(_ faults: [String: ProviderError.Fault]) -> OAuth2Client {
        OAuth2Client(
            authorizeURL: authorizeURL, tokenURL: tokenURL, clientID: clientID, authentication: authentication,
            scopes: scopes, errorFaults: errorFaults.merging(faults) { _, other in other }, dialect: dialect)
    }
}
