/// The signature algorithms used here (RFC 7518 §3.1). There is no `none` and nothing symmetric to confuse keys with.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
}
