import ProviderKit

extension OpenIDProvider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: Decodable, Sendable {
        /// The `issuer` of the discovery document, byte by byte.
        let issuer: String
        let clientId: String
        let clientSecret: Secret?
        let privateKey: ClientProof.PrivateKey?
        let tokenEndpointAuthMethod: ClientProof.Method?
        /// The scopes of sign-ins; `openid email profile` when absent.
        let scopes: [String]?
        /// Further client ids whose ID tokens are accepted, such as those of native apps.
        let audiences: [String]?
        /// The accepted algorithms of ID tokens; RS256 when absent.
        let algorithms: [SigningAlgorithm]?
        /// The form of a native client's nonce in the token; hashed when absent.
        let nativeNonce: NativeNonce?
        let claims: ClaimOptions?
        /// Whether the text `"true"` verifies an address; `false` when absent.
        let textBooleans: Bool?
        /// Required claims of an ID token, such as the user's organisation.
        let requiredClaims: JSONValue?
        /// Whether to request the userinfo endpoint; when absent, if the provider has one.
        let userinfo: Bool?
        /// The maximum age of ID tokens in seconds since `iat`; when absent, 3600 for one that a client presents.
        let maximumAge: Int?
        let authorizationParameters: [String: String]?
        /// Whether logout tokens are accepted (OpenID Connect Back-Channel Logout).
        let backChannelLogout: Bool?
    }

    /// The form of a native client's nonce.
    enum NativeNonce: String, Decodable, Sendable {
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
            scopes = options.scopes ?? ["openid", "email", "profile"]
            try check(scopes.contains("openid"), #"scopes must contain "openid": without it there is no ID token"#)
            audiences = [options.clientId] + (options.audiences ?? [])
            try check(!audiences.contains(""), "audiences must not contain an empty client id")
            algorithms = Set(options.algorithms?.map(\.value) ?? [.rs256])
            try check(!algorithms.isEmpty, "algorithms must name one")
            maximumAge = options.maximumAge
            try check((1...31_536_000).contains(maximumAge ?? 1), "maximumAge must be 1 to 31536000 seconds")
            try check(
                options.claims?.subject?.pointers.allSatisfy { $0.tokens == ["sub"] } ?? true,
                "claims.subject cannot be set: the subject is always the sub of the ID token")
            var claims = options.claims?.claims(over: .standard) ?? .standard
            claims.acceptsTextBooleans = options.textBooleans ?? false
            self.claims = claims
            requiredClaims = options.requiredClaims?.object ?? [:]
            try check(
                options.requiredClaims.map { $0.object?.allSatisfy { $0.value.isScalar } ?? false } ?? true,
                "requiredClaims must be an object of strings, numbers, true and false")
            usesUserinfo = options.userinfo
            nativeNonce = options.nativeNonce == .plain ? .plain : .sha256
            parameters = try AuthorizationParameters(options.authorizationParameters)
            acceptsLogout = options.backChannelLogout ?? false
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
