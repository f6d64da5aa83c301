/// A supported signature algorithm (RFC 7518 §3.1). `none` and symmetric algorithms are not supported, which prevents
/// algorithm confusion.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
}
