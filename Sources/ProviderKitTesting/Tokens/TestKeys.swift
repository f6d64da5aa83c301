import JOSE
import ProviderKit
import Synchronization

/// Private keys for tests, generated at run time and shared by the process, because RSA keys are slow to generate.
enum TestKeys {
    /// The number of keys: enough for two issuers that rotate.
    private static let rsa: [PrivateSigningKey] = (0..<4).compactMap { _ in try? .generate(.rs256) }
    private static let foreignRSA: [PrivateSigningKey] = [try? .generate(.rs256)].compactMap { $0 }
    private static let counter = Mutex(0)

    /// A key for an issuer. Successive calls return different keys.
    static func next(_ algorithm: IDTokenPolicy.Algorithm) -> PrivateSigningKey {
        switch algorithm {
        case .es256: return made(.es256)
        case .rs256:
            let position = counter.withLock { counter in
                counter += 1
                return counter
            }
            return rsa.isEmpty ? made(.rs256) : rsa[position % rsa.count]
        }
    }

    /// A key that belongs to no issuer.
    static func foreign(_ algorithm: IDTokenPolicy.Algorithm) -> PrivateSigningKey {
        switch algorithm {
        case .es256: made(.es256)
        case .rs256: foreignRSA.first ?? made(.rs256)
        }
    }

    private static func made(_ algorithm: SignatureAlgorithm) -> PrivateSigningKey {
        do {
            return try .generate(algorithm)
        } catch {
            preconditionFailure("this host has no randomness: \(error)")
        }
    }
}
