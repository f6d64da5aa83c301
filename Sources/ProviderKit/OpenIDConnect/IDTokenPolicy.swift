/// A plugin's rules for ID tokens, which the broker checks (OpenID Connect Core §3.1.3.7).
///
/// The policy lists every accepted value: no issuer, audience, algorithm or key is ever taken from a token.
public struct IDTokenPolicy: Sendable, Hashable {
    /// The algorithms of key pairs that a provider may sign with (RFC 7518 §3.1, RFC 8037 §3.1); `none` does not exist
    /// here.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case rs256 = "RS256"
        case ps256 = "PS256"
        case es256 = "ES256"
        case eddsa = "EdDSA"
    }

    /// The keys that verify a provider's tokens. The algorithm follows from them, never from a token's header.
    public enum Keys: Sendable, Hashable {
        /// The published keys at a URL (`jwks_uri`), with the accepted algorithms.
        case published(url: String, algorithms: Set<Algorithm>)
        /// The client's secret, of at least ``IDTokenPolicy/leastSecretBytes`` bytes, for HS256 (OpenID Connect Core §10.1).
        /// All parties that know it can sign, so it verifies only the ID tokens that the provider's token endpoint answers to
        /// us: with ``NonceExpectation/native(rawNonce:)``, or for a security event, the verification fails.
        case clientSecret(Secret)
    }

    /// The least size of a secret that verifies HS256, in bytes (RFC 7518 §3.2).
    public static let leastSecretBytes = 32

    /// The relation between a native client's raw nonce and the token's `nonce`.
    public enum NativeNonce: Sendable, Hashable {
        /// The token contains the raw nonce.
        case plain
        /// The token contains its lower-case hexadecimal SHA-256.
        case sha256
    }

    /// The accepted values of `iss`, compared byte by byte. With a ``tenantClaim`` such as `tid`, `{tid}` in a value stands
    /// for the value of that claim.
    public var issuers: [String]
    /// The claim that names the tenant, for providers each of whose tenants is an issuer, such as Microsoft's `tid`. Its
    /// value must be a UUID in lower case. A published key that states an `issuer` then verifies only tokens of that one,
    /// in which `{tenantid}` stands for the tenant.
    public var tenantClaim: String?
    /// Our client ids: `aud` must contain one of them, and `azp` must be one of them.
    public var audiences: [String]
    /// The keys that verify the tokens.
    public var keys: Keys
    /// The accepted values of the header's `typ`, if present, ignoring case.
    public var types: Set<String>
    /// Whether a token must have a `kid`. Without it a token is accepted only if the provider publishes a single key
    /// (OpenID Connect Core §10.1).
    public var requiresKeyID: Bool
    /// The maximum age since `iat` in seconds, independent of `exp`; `nil` checks only `exp`.
    public var maximumAge: Int?
    /// The tolerated clock difference in seconds.
    public var clockSkew: Int
    /// The form of a native client's raw nonce in the token.
    public var nativeNonce: NativeNonce
    /// Whether a native client must send a raw nonce.
    public var requiresNativeNonce: Bool
    /// A claim whose value `false` declares that the token cannot contain a nonce, such as Apple's `nonce_supported`.
    public var nonceSupportClaim: String?

    /// Makes a policy with published keys; the defaults are those of OpenID Connect Core.
    public init(
        issuers: [String], audiences: [String], keySetURL: String, algorithms: Set<Algorithm> = [.rs256],
        types: Set<String> = ["JWT"], requiresKeyID: Bool = true, maximumAge: Int? = nil, clockSkew: Int = 60,
        nativeNonce: NativeNonce = .sha256, requiresNativeNonce: Bool = false, nonceSupportClaim: String? = nil
    ) {
        self.issuers = issuers
        self.audiences = audiences
        keys = .published(url: keySetURL, algorithms: algorithms)
        self.types = types
        self.requiresKeyID = requiresKeyID
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
        self.nativeNonce = nativeNonce
        self.requiresNativeNonce = requiresNativeNonce
        self.nonceSupportClaim = nonceSupportClaim
    }

    /// Makes a policy for ID tokens that the token endpoint signs with the secret of the client `audience` (HS256).
    public init(issuers: [String], audience: String, clientSecret: Secret, maximumAge: Int? = nil) {
        self.init(issuers: issuers, audiences: [audience], keySetURL: "", maximumAge: maximumAge)
        keys = .clientSecret(clientSecret)
    }
}

/// The nonce that a token must contain, by the flow that returned it.
public enum NonceExpectation: Sendable, Hashable {
    /// The flow has no authorization request of ours, such as the device flow.
    case unchecked
    /// No nonce was sent. A token with a nonce belongs to another request.
    case absent
    /// The nonce of the authorization request.
    case sent(String)
    /// A native client's raw nonce; with `nil` the token must have no nonce.
    case native(rawNonce: String?)
}
