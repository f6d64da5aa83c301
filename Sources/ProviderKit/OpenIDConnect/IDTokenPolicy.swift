/// Which ID tokens a plugin takes: it declares, the broker checks (OpenID Connect Core §3.1.3.7).
///
/// Whatever is not listed is not accepted: no issuer, audience, algorithm or key is ever taken from a token.
public struct IDTokenPolicy: Sendable, Hashable {
    /// The algorithms a provider may sign with (RFC 7518 §3.1); symmetric ones and `none` do not exist here.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// What becomes of the value a native client made before it reaches the token's `nonce`.
    public enum NativeNonce: Sendable, Hashable {
        /// The token repeats it.
        case plain
        /// The token has the lower-case hexadecimal SHA-256 of it.
        case sha256
    }

    /// The spellings of `iss` that are the provider's own, compared byte by byte.
    public var issuers: [String]
    /// Our client ids: one of them has to be in `aud`, and `azp` has to be one of them.
    public var audiences: [String]
    /// Where the provider publishes its keys (`jwks_uri`).
    public var keySetURL: String
    /// What it may sign with.
    public var algorithms: Set<Algorithm>
    /// The header's `typ`, where there is one, has to be one of these, in any case.
    public var types: Set<String>
    /// Whether a token has to name its key (`kid`). One that does not is taken only from a provider that publishes a
    /// single key (OpenID Connect Core §10.1).
    public var requiresKeyID: Bool
    /// Seconds since `iat` after which a token is too old, however late its `exp` is; `nil` leaves it to `exp`.
    public var maximumAge: Int?
    /// Seconds the provider's clock may differ from ours.
    public var clockSkew: Int
    /// How a native client's raw nonce appears in the token.
    public var nativeNonce: NativeNonce
    /// Whether a native client has to send a raw nonce.
    public var requiresNativeNonce: Bool
    /// A claim whose value `false` says that this token could not carry a nonce, such as Apple's `nonce_supported`.
    public var nonceSupportClaim: String?

    /// A policy; what is left out is as strict as OpenID Connect Core.
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

/// The nonce a token has to carry, by the way it came.
public enum NonceExpectation: Sendable, Hashable {
    /// No authorization request of ours led to the token, as in the device flow.
    case unchecked
    /// No nonce was sent. A token that carries one belongs to another request.
    case absent
    /// Exactly this, as it was sent with the authorization request.
    case sent(String)
    /// What a native client says it made the nonce of; `nil` when it says nothing, and then the token may have none.
    case native(rawNonce: String?)
}
