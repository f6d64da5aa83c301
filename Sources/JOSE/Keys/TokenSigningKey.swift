/// A private key that tokens are signed with, wherever its signatures are made.
package protocol TokenSigningKey: Sendable {
    /// The key's signature algorithm.
    var algorithm: SignatureAlgorithm { get }

    /// The public key.
    var publicKey: PublicVerificationKey { get }

    /// Signs `input`.
    ///
    /// RS256 takes up to half a millisecond: do not sign on an event loop.
    ///
    /// - Returns: For ES256 the 64 bytes r ‖ s (RFC 7518 §3.4), for RS256 as many bytes as the key has.
    /// - Throws: ``JOSEError`` when the key cannot sign.
    func sign(_ input: [UInt8]) throws(JOSEError) -> [UInt8]
}
