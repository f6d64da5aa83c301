package import Crypto
package import CryptoExtras
import Foundation
import ProviderKit

/// A public key that verifies signatures of one algorithm, regardless of a token's header.
package enum PublicVerificationKey: Sendable {
    /// A key for ES256.
    case es256(P256.Signing.PublicKey)
    /// A key for RS256, of 2048 to 4096 bits.
    case rs256(_RSA.Signing.PublicKey)
    /// A key for PS256, of 2048 to 4096 bits.
    case ps256(_RSA.Signing.PublicKey)
    /// A key for EdDSA, on Ed25519.
    case eddsa(Curve25519.Signing.PublicKey)

    /// The key's signature algorithm.
    package var algorithm: SignatureAlgorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        case .ps256: .ps256
        case .eddsa: .eddsa
        }
    }

    /// The same key for `algorithm`, or nil for one of another kind of keys.
    func key(for algorithm: SignatureAlgorithm) -> PublicVerificationKey? {
        switch (self, algorithm) {
        case (.es256, .es256), (.eddsa, .eddsa): self
        case (.rs256(let key), .rs256), (.ps256(let key), .rs256): .rs256(key)
        case (.rs256(let key), .ps256), (.ps256(let key), .ps256): .ps256(key)
        default: nil
        }
    }

    /// Whether `signature` is a signature of `input` by this key. ES256 signatures are the 64 bytes r ‖ s, never DER.
    package func isValid(signature: [UInt8], for input: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: input))
        case .rs256(let key): return Self.isValid(signature, for: input, key, padding: .insecurePKCS1v1_5)
        case .ps256(let key): return Self.isValid(signature, for: input, key, padding: .PSS)
        case .eddsa(let key): return signature.count == 64 && key.isValidSignature(signature, for: input)
        }
    }

    private static func isValid(
        _ signature: [UInt8], for input: [UInt8], _ key: _RSA.Signing.PublicKey, padding: _RSA.Signing.Padding
    ) -> Bool {
        guard signature.count == (key.keySizeInBits + 7) / 8 else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: input), padding: padding)
    }

    /// The key as a JSON Web Key with the id `keyID`, or its thumbprint.
    ///
    /// - Throws: ``JOSEError`` when `keyID` is not 1 to 256 printable ASCII characters.
    package func jwk(keyID: String? = nil) throws(JOSEError) -> JSONWebKey {
        let key = try JSONWebKey(keyID: keyID, key: self)
        return try keyID == nil ? JSONWebKey(keyID: key.thumbprint, key: self) : key
    }

    /// The required members of the JSON Web Key, in the order of RFC 7638 §3.3.
    func requiredMembers() throws(JOSEError) -> JSONObject {
        switch self {
        case .es256(let key):
            let point = key.rawRepresentation
            let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
            return ["crv": "P-256", "kty": "EC", "x": .string(x), "y": .string(y)]
        case .rs256(let key), .ps256(let key):
            guard let primitives = try? key.getKeyPrimitives() else {
                throw JOSEError(.unusableKey, "RSA key without modulus and exponent")
            }
            let (n, e) = (Base64URL.encode(primitives.modulus), Base64URL.encode(primitives.publicExponent))
            return ["e": .string(e), "kty": "RSA", "n": .string(n)]
        case .eddsa(let key):
            return ["crv": "Ed25519", "kty": "OKP", "x": .string(Base64URL.encode(Array(key.rawRepresentation)))]
        }
    }
}
