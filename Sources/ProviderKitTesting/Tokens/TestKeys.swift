import JOSE
import ProviderKit
import Synchronization

/// Private keys for tests, generated at run time and shared by the process, because RSA keys are slow to generate.
enum TestKeys {
    /// The number of keys: enough for two issuers that rotate.
    private static let count = 4
    private static let rsa = Mutex((keys: [PrivateSigningKey](), calls: 0))
    private static let foreignRSA = made(.rs256)

    /// A key for an issuer. Successive calls return different keys.
    static func next(_ algorithm: IDTokenPolicy.Algorithm) -> PrivateSigningKey {
        switch algorithm {
        case .es256: return made(.es256)
        case .eddsa: return made(.eddsa)
        case .rs256: return nextRSA()
        case .ps256: return nextRSA().forPSS
        }
    }

    private static func nextRSA() -> PrivateSigningKey {
        rsa.withLock { state in
            let position = state.calls % count
            state.calls += 1
            if position == state.keys.count { state.keys.append(made(.rs256)) }
            return state.keys[position]
        }
    }

    /// A key that belongs to no issuer.
    static func foreign(_ algorithm: IDTokenPolicy.Algorithm) -> PrivateSigningKey {
        switch algorithm {
        case .es256: made(.es256)
        case .eddsa: made(.eddsa)
        case .rs256: foreignRSA
        case .ps256: foreignRSA.forPSS
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

extension PrivateSigningKey {
    /// An RSA key as one for PS256.
    fileprivate var forPSS: PrivateSigningKey { if case .rs256(let key) = self { .ps256(key) } else { self } }
}
