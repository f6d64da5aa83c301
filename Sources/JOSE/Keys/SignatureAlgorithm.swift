/// A supported algorithm of signatures by key pairs (RFC 7518 §3.1, RFC 8037 §3.1). `none` and symmetric algorithms are
/// not among them, which prevents algorithm confusion.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256, and a salt of the same length.
    case ps256 = "PS256"
    /// EdDSA on Ed25519.
    case eddsa = "EdDSA"
}
