package import Crypto
package import CryptoExtras
import Foundation

/// A private key for signatures by swift-crypto.
package enum PrivateSigningKey: TokenSigningKey {
    /// A key for ES256.
    case es256(P256.Signing.PrivateKey)
    /// A key for RS256.
    case rs256(_RSA.Signing.PrivateKey)
    /// A key for PS256.
    case ps256(_RSA.Signing.PrivateKey)
    /// A key for EdDSA.
    case eddsa(Curve25519.Signing.PrivateKey)

    /// Reads a ``derRepresentation``.
    ///
    /// - Throws: ``JOSEError`` when it is not a PKCS#8 key for `algorithm`.
    package init(algorithm: SignatureAlgorithm, derRepresentation: [UInt8]) throws(JOSEError) {
        do {
            self =
                switch algorithm {
                case .es256: .es256(try P256.Signing.PrivateKey(derRepresentation: derRepresentation))
                case .rs256: .rs256(try _RSA.Signing.PrivateKey(derRepresentation: derRepresentation))
                case .ps256: .ps256(try _RSA.Signing.PrivateKey(derRepresentation: derRepresentation))
                case .eddsa: .eddsa(try Curve25519.Signing.PrivateKey(derRepresentation: derRepresentation))
                }
        } catch {
            throw JOSEError(.unusableKey, "not a PKCS#8 key for \(algorithm.rawValue)")
        }
    }

    /// The key in PKCS#8, DER encoded. It is a secret and must be sealed before it is stored.
    package var derRepresentation: [UInt8] {
        switch self {
        case .es256(let key): Array(key.derRepresentation)
        case .rs256(let key), .ps256(let key): Array(key.pkcs8DERRepresentation)
        case .eddsa(let key): Array(key.derRepresentation)
        }
    }

    /// The key in PKCS#8 as PEM. It is a secret.
    package var pkcs8PEM: String {
        switch self {
        case .es256(let key): key.pemRepresentation
        case .rs256(let key), .ps256(let key): key.pkcs8PEMRepresentation
        case .eddsa(let key): key.pemRepresentation
        }
    }

    package var algorithm: SignatureAlgorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        case .ps256: .ps256
        case .eddsa: .eddsa
        }
    }

    package var publicKey: PublicVerificationKey {
        switch self {
        case .es256(let key): .es256(key.publicKey)
        case .rs256(let key): .rs256(key.publicKey)
        case .ps256(let key): .ps256(key.publicKey)
        case .eddsa(let key): .eddsa(key.publicKey)
        }
    }

    package func sign(_ input: [UInt8]) throws(JOSEError) -> [UInt8] {
        do {
            return switch self {
            case .es256(let key): Array(try key.signature(for: SHA256.hash(data: input)).rawRepresentation)
            case .rs256(let key):
                Array(try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
            case .ps256(let key):
                Array(try key.signature(for: SHA256.hash(data: input), padding: .PSS).rawRepresentation)
            case .eddsa(let key): Array(try key.signature(for: input))
            }
        } catch {
            throw JOSEError(.unusableKey, "signing failed")
        }
    }
}

extension TokenSigningKey where Self == PrivateSigningKey {
    /// Generates a key: P-256, Ed25519, or RSA with 2048 bits.
    ///
    /// - Throws: ``JOSEError`` when the generation fails.
    package static func generate(_ algorithm: SignatureAlgorithm) throws(JOSEError) -> PrivateSigningKey {
        do {
            return switch algorithm {
            case .es256: .es256(P256.Signing.PrivateKey())
            case .rs256: .rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            case .ps256: .ps256(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            case .eddsa: .eddsa(Curve25519.Signing.PrivateKey())
            }
        } catch {
            throw JOSEError(.unusableKey, "no \(algorithm.rawValue) key could be made")
        }
    }
}
