/// A plugin's rules for ID tokens, which the broker checks (OpenID Connect Core §3.1.3.7).
///
/// The policy lists every accepted value: no issuer, audience, algorithm or key is ever taken from a token.
public struct IDTokenPolicy: Sendable, Hashable {
    /// The algorithms a provider may sign with (RFC 7518 §3.1); symmetric ones and `none` do not exist here.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// The relation between a native client's raw nonce and the token's `nonce`.
    public enum NativeNonce: Sendable, Hashable {
        /// The token contains the raw nonce.
        case plain
        /// The token contains its lower-case hexadecimal SHA-256.
        case sha256
    }

    /// The accepted values of `iss`, compared byte by byte.
    public var issuers: [String]
    /// Our client ids: `aud` must contain one of them, and `azp` must be one of them.
    public var audiences: [String]
    /// The URL of the provider's keys (`jwks_uri`).
    public var keySetURL: String
    /// The accepted algorithms.
    public var algorithms: Set<Algorithm>
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

    /// Makes a policy; the defaults are those of OpenID Connect Core.
    public init(
        issuers: [String], audiences: [String], keySetURL: String, algorithms: Set<Algorithm> = [.rs256],
        types: Set<String> = ["JWT"], requiresKeyID: Bool = true, maximumAge: Int? = nil, clockSkew: Int = 60,
        nativeNonce: NativeNonce = .sha256, requiresNativeNonce: Bool = false, nonceSupportClaim: String? = nil
    ) {
        self.issuers = issuers
        self.audiences = audiences
        self.keySetURL = keySetURL
        self.algorithms = algorithms
        self.types = types
        self.requiresKeyID = requiresKeyID
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
        self.nativeNonce = nativeNonce
        self.requiresNativeNonce = requiresNativeNonce
        self.nonceSupportClaim = nonceSupportClaim
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
