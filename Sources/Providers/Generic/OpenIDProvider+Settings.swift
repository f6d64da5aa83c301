public import ProviderKit

extension OpenIDProvider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: ClientOptions {
        var issuer = ""
        var tenants: Tenants.Audience?
        var discovery = true
        var endpoints = Endpoints()
        var clientId = ""
        var clientSecret: Secret?
        var privateKey: ClientProof.PrivateKey?
        var tokenEndpointAuthMethod: ClientProof.Method?
        var scopes: [String] = []
        var audiences: [String] = []
        var algorithms: [IDTokenAlgorithm] = []
        var nonce = true
        var nativeNonce = NativeNonce.sha256
        var claims: Claims?
        var textBooleans = false
        var trustUnverifiedEmails = false
        var requiredClaims: JSONValue = [:]
        var userinfo: Bool?
        var maximumAge: Int?
        var authorizationParameters: [String: String] = [:]
        var backChannelLogout = false

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "Any OpenID Connect provider, by its issuer.", metadata + clientKeys + tokens + requestKeys)

        private static let metadata: [DeclaredKey<Options>] = [
            .key(
                "issuer", \.issuer,
                """
                the issuer of the discovery document, byte by byte, a trailing slash included; the namespace of its \
                subjects. With `{tid}` in its path each tenant of Microsoft is an issuer
                """
            ).required().narrowed(by: ProviderContext.baseURLs).example("https://id.example/realms/acme"),
            .key(
                "tenants", \.tenants,
                """
                the tenants whose users may sign in, where the issuer has `{tid}`: all of them and personal accounts, or \
                those of organisations
                """
            ).initially(inWords: "`common`, where the issuer has `{tid}`"),
            .key(
                "discovery", \.discovery,
                "whether the provider has a discovery document; without one `endpoints` needs what sign-ins need"
            ).initially(true),
            .key(
                "endpoints", \.endpoints, "URLs that the discovery document lacks; one that it names must be the same"),
        ]

        private static let tokens: [DeclaredKey<Options>] = [
            .key("scopes", \.scopes, "the scopes of sign-ins, `openid` among them")
                .initially(["openid", "email", "profile"])
                .narrowed(by: ["items": ["type": "string", "minLength": 1], "contains": ["const": "openid"]]),
            .key(
                "audiences", \.audiences,
                """
                further client IDs whose ID tokens are accepted, and which `appRedirects` may name: those of native apps
                """
            ).initially([]).narrowed(by: ["items": ["type": "string", "minLength": 1]]),
            .key(
                "algorithms", \.algorithms,
                """
                the accepted signature algorithms of ID tokens. `HS256` stands alone, needs a client secret of 32 bytes or \
                more, and is for ID tokens of the token endpoint only: apps cannot send any
                """
            ).initially(["RS256"]).narrowed(by: ["minItems": 1]),
            .key(
                "nonce", \.nonce,
                """
                whether the provider's ID tokens repeat the nonce of the request; without it apps cannot send ID tokens, \
                and PKCE alone binds a code
                """
            ).initially(true),
            .key(
                "nativeNonce", \.nativeNonce,
                "the form of a native client's nonce in its ID token: its SHA-256 in hexadecimal, or plain"
            ).initially("sha256"),
            .key(
                "requiredClaims", \.requiredClaims,
                "required claims of an ID token, each value exactly, such as the organisation: `hd` at Google"
            ).initially([:]).example(["hd": "corp.example"]).narrowed(by: [
                "type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]],
            ]),
            .key("userinfo", \.userinfo, "whether to request the userinfo endpoint")
                .initially(inWords: "if discovery lists one"),
            .key(
                "maximumAge", \.maximumAge, "the maximum age of ID tokens in seconds since `iat`, independent of `exp`"
            )
            .range(1...31_536_000).initially(inWords: "3600 for one that a client sends, otherwise its `exp`"),
            .key("claims", \.claims, "the places of claims in ID token and userinfo")
                .initially(inWords: "the standard claims"),
            .key(
                "backChannelLogout", \.backChannelLogout,
                """
                whether logout tokens are accepted (OpenID Connect Back-Channel Logout 1.0) at \
                `/v1/broker/providers/<id>/notifications`: register it as `backchannel_logout_uri`. They end the sessions \
                that began with the identity; a token needs `sub`, since a `sid` alone names no session here
                """
            ).initially(false),
        ]
    }

    /// An accepted signature algorithm of ID tokens.
    enum IDTokenAlgorithm: String, CaseIterable, DeclaredValue {
        case rs256 = "RS256"
        case ps256 = "PS256"
        case es256 = "ES256"
        case eddsa = "EdDSA"
        case hs256 = "HS256"

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let value = IDTokenAlgorithm(rawValue: try container.decode(String.self)) else {
                let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be one of \(names)")
            }
            self = value
        }
    }

    /// The form of a native client's nonce.
    enum NativeNonce: String, CaseIterable, DeclaredValue {
        case sha256, plain

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let value = NativeNonce(rawValue: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be sha256 or plain")
            }
            self = value
        }
    }

    /// The options, checked.
    struct Settings: Sendable {
        let proof: ClientProof
        let tenants: Tenants?
        let scopes: [String]
        let audiences: [String]
        let algorithms: Set<IDTokenAlgorithm>
        /// The client's secret, where it verifies the ID tokens (HS256).
        let sharedSecret: Secret?
        let repeatsNonce: Bool
        let nativeNonce: IDTokenPolicy.NativeNonce
        let claims: ProfileClaims
        let requiredClaims: JSONObject
        let usesUserinfo: Bool?
        let maximumAge: Int?
        let parameters: AuthorizationParameters
        let acceptsLogout: Bool

        init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
            func check(_ holds: Bool, _ reason: String) throws(ProviderError) {
                guard holds else { throw ProviderError(.configuration, at: .configure, "options." + reason) }
            }
            tenants = try Tenants(options.issuer, options.tenants)
            _ = try context.baseURL(tenants?.authority ?? options.issuer, option: "issuer")
            try check(options.discovery || tenants == nil, "discovery must be true with {tid} in the issuer")
            try check(!options.clientId.isEmpty, "clientId must not be empty")
            scopes = options.scopes
            try check(scopes.contains("openid"), #"scopes must contain "openid": without it there is no ID token"#)
            audiences = [options.clientId] + options.audiences
            try check(!audiences.contains(""), "audiences must not contain an empty client id")
            algorithms = Set(options.algorithms)
            try check(!algorithms.isEmpty, "algorithms must name one")
            sharedSecret = algorithms.contains(.hs256) ? options.clientSecret : nil
            if algorithms.contains(.hs256) { try Self.checkSharedSecret(of: options) }
            repeatsNonce = options.nonce
            maximumAge = options.maximumAge
            try check(
                options.claims?.subject?.pointers.allSatisfy { $0.tokens == ["sub"] } ?? true,
                "claims.subject cannot be set: the subject is always the sub of the ID token")
            try check(
                tenants == nil || options.claims?.profile.emailVerified == nil,
                "claims.emailVerified cannot be set with {tid} in the issuer: xms_edov verifies an address")
            var claims = options.claims?.profile.claims(over: .standard) ?? .standard
            if tenants != nil { claims.emailVerified = Tenants.emailVerified }
            claims.acceptsTextBooleans = options.textBooleans
            claims.trustsUnverified = options.trustUnverifiedEmails
            self.claims = claims
            requiredClaims = options.requiredClaims.object ?? [:]
            try check(
                options.requiredClaims.object?.allSatisfy { $0.value.isScalar } ?? false,
                "requiredClaims must be an object of strings, numbers, true and false")
            usesUserinfo = options.userinfo
            nativeNonce = options.nativeNonce == .plain ? .plain : .sha256
            parameters = try AuthorizationParameters(options.authorizationParameters)
            acceptsLogout = options.backChannelLogout
            try check(
                !acceptsLogout || tenants == nil,
                "backChannelLogout cannot be set with {tid} in the issuer: logout tokens name other subjects")
            proof = try ClientProof(
                options.tokenEndpointAuthMethod, secret: options.clientSecret, key: options.privateKey, in: context)
        }

        /// The client's secret verifies only what the token endpoint answers to it: with HS256 there is neither a key set nor
        /// a token for another client or from another sender.
        private static func checkSharedSecret(of options: Options) throws(ProviderError) {
            let rules: [(holds: Bool, reason: String)] = [
                (options.algorithms == [.hs256], "algorithms must have HS256 alone"),
                (
                    options.clientSecret.map { $0.reveal().utf8.count >= IDTokenPolicy.leastSecretBytes } ?? false,
                    "algorithms has HS256, which needs a clientSecret of \(IDTokenPolicy.leastSecretBytes) bytes or more"
                ),
                (options.audiences.isEmpty, "audiences must be empty with HS256: other clients do not know the secret"),
                (options.endpoints.jwks == nil, "endpoints.jwks is not used with HS256: remove it"),
                (!options.backChannelLogout, "backChannelLogout needs a key set, which HS256 has not"),
            ]
            for (holds, reason) in rules where !holds {
                throw ProviderError(.configuration, at: .configure, "options." + reason)
            }
        }

        /// Whether a client may present an ID token: one that proves its origin by a published key, and can be bound to the
        /// client by a nonce.
        var acceptsPresentedTokens: Bool { sharedSecret == nil && repeatsNonce }
    }

    /// One of our clients at the endpoints of the provider's metadata. Only the instance's own has a secret or a key;
    /// those of apps are public (RFC 8252 §8.4).
    func client(_ appClientID: String? = nil, at endpoints: OpenIDConfiguration) -> OAuth2Client {
        let isOwn = appClientID?.utf8.elementsEqual(clientID.utf8) ?? true
        return OAuth2Client(
            authorizeURL: endpoints.authorizationEndpoint, tokenURL: endpoints.tokenEndpoint,
            clientID: appClientID ?? clientID,
            authentication: isOwn
                ? settings.proof.authentication(
                    of: clientID, audience: settings.tenants?.authority ?? instance, in: context) : .none,
            scopes: settings.scopes, errorFaults: TokenErrors.faults)
    }

    /// The rules for ID tokens.
    func policy(for audiences: [String], at endpoints: OpenIDConfiguration) -> IDTokenPolicy {
        if let secret = settings.sharedSecret {
            return IDTokenPolicy(
                issuers: [instance], audience: clientID, clientSecret: secret, maximumAge: settings.maximumAge)
        }
        var policy = IDTokenPolicy(
            issuers: [instance], audiences: audiences, keySetURL: endpoints.keySetURL,
            algorithms: Set(settings.algorithms.compactMap { IDTokenPolicy.Algorithm(rawValue: $0.rawValue) }),
            requiresKeyID: false, maximumAge: settings.maximumAge, nativeNonce: settings.nativeNonce)
        policy.tenantClaim = settings.tenants.map { _ in Tenants.claim }
        return policy
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }
}
