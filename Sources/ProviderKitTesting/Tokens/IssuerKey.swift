import Crypto
import Foundation
import JOSE
import ProviderKit

/// A key of a simulated issuer: a pair, or the secret that the issuer shares with its client (HS256).
enum IssuerKey: Sendable {
    case pair(PrivateSigningKey)
    case shared(secret: String)

    /// The name of its algorithm in headers.
    var algorithm: String {
        switch self {
        case .pair(let key): key.algorithm.rawValue
        case .shared: CompactJWS.symmetricAlgorithm
        }
    }

    /// A key of the same algorithm that belongs to no issuer.
    var foreign: IssuerKey {
        switch self {
        case .pair(let key):
            .pair(TestKeys.foreign(IDTokenPolicy.Algorithm(rawValue: key.algorithm.rawValue) ?? .rs256))
        case .shared(let secret): .shared(secret: String(secret.reversed()) + "?")
        }
    }

    /// The published key; `nil` for a secret.
    func published(keyID: String) -> JSONValue? {
        switch self {
        case .pair(let key): try? key.publicKey.jwk(keyID: keyID).jsonValue
        case .shared: nil
        }
    }

    /// The key as a header's `jwk`.
    func embedded(keyID: String) -> JSONValue {
        switch self {
        case .pair: published(keyID: keyID) ?? .null
        case .shared(let secret): ["kty": "oct", "kid": .string(keyID), "k": .string(Base64URL.encode(secret.utf8))]
        }
    }

    func sign(_ input: [UInt8]) -> [UInt8] {
        switch self {
        case .pair(let key):
            do {
                return try key.sign(input)
            } catch {
                preconditionFailure("a key made a moment ago cannot sign: \(error)")
            }
        case .shared(let secret): return Self.code(of: input, secret)
        }
    }

    /// The HS256 signature with a text as the secret.
    static func code(of input: [UInt8], _ secret: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: input, using: SymmetricKey(data: Data(secret.utf8))))
    }
}
