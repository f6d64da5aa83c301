public import ProviderKit

extension OpenIDProvider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: ClientOptions {
        var issuer = ""
        var clientId = ""
        var clientSecret: Secret?
        var privateKey: ClientProof.PrivateKey?
        var tokenEndpointAuthMethod: ClientProof.Method?
        var scopes: [String] = []
        var audiences: [String] = []
        var algorithms: [SigningAlgorithm] = []
        var nativeNonce = NativeNonce.sha256
        var claims: Claims?
        var textBooleans = false
        var requiredClaims: JSONValue = [:]
        var userinfo: Bool?
        var maximumAge: Int?
        var authorizationParameters: [String: String] = [:]
        var backChannelLogout = false

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "Any OpenID Connect provider, by its issuer.", [issuer] + clientKeys + tokens + requestKeys)

        private static let issuer: DeclaredKey<Options> = .key(
            "issuer", \.issuer,
            """
            the issuer of the discovery document, byte by byte, a trailing slash included; the namespace of its subjects
            """
        ).required().narrowed(by: ProviderContext.baseURLs).example("https://id.example/realms/acme")

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
            .key("algorithms", \.algorithms, "the accepted signature algorithms of ID tokens").initially(["RS256"])
                .narrowed(by: ["minItems": 1]),
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
        let scopes: [String]
        let audiences: [String]
        let algorithms: Set<IDTokenPolicy.Algorithm>
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
            _ = try context.baseURL(options.issuer, option: "issuer")
            try check(!options.clientId.isEmpty, "clientId must not be empty")
            scopes = options.scopes
            try check(scopes.contains("openid"), #"scopes must contain "openid": without it there is no ID token"#)
            audiences = [options.clientId] + options.audiences
            try check(!audiences.contains(""), "audiences must not contain an empty client id")
            algorithms = Set(options.algorithms.map(\.value))
            try check(!algorithms.isEmpty, "algorithms must name one")
            maximumAge = options.maximumAge
            try check(
                options.claims?.subject?.pointers.allSatisfy { $0.tokens == ["sub"] } ?? true,
                "claims.subject cannot be set: the subject is always the sub of the ID token")
            var claims = options.claims?.profile.claims(over: .standard) ?? .standard
            claims.acceptsTextBooleans = options.textBooleans
            self.claims = claims
            requiredClaims = options.requiredClaims.object ?? [:]
            try check(
                options.requiredClaims.object?.allSatisfy { $0.value.isScalar } ?? false,
                "requiredClaims must be an object of strings, numbers, true and false")
            usesUserinfo = options.userinfo
            nativeNonce = options.nativeNonce == .plain ? .plain : .sha256
            parameters = try AuthorizationParameters(options.authorizationParameters)
            acceptsLogout = options.backChannelLogout
            proof = try ClientProof(
                options.tokenEndpointAuthMethod, secret: options.clientSecret, key: options.privateKey, in: context)
        }
    }

    /// One of our clients at the endpoints of the provider's metadata. Only the instance's own has a secret or a key;
    /// those of apps are public (RFC 8252 §8.4).
    func client(_ appClientID: String? = nil, at endpoints: OpenIDConfiguration) -> OAuth2Client {
        let isOwn = appClientID?.utf8.elementsEqual(clientID.utf8) ?? true
        return OAuth2Client(
            authorizeURL: endpoints.authorizationEndpoint, tokenURL: endpoints.tokenEndpoint,
            clientID: appClientID ?? clientID,
            authentication: isOwn
                ? settings.proof.authentication(of: clientID, audience: instance, in: context) : .none,
            scopes: settings.scopes, errorFaults: TokenErrors.faults)
    }

    /// The rules for ID tokens.
    func policy(for audiences: [String], at endpoints: OpenIDConfiguration) -> IDTokenPolicy {
        IDTokenPolicy(
            issuers: [instance], audiences: audiences, keySetURL: endpoints.keySetURL,
            algorithms: settings.algorithms, requiresKeyID: false, maximumAge: settings.maximumAge,
            nativeNonce: settings.nativeNonce)
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
