package import BrokerStore
package import Foundation
package import JOSE
package import ProviderKit

/// The broker's own signing keys: one ES256 and one RS256 from the first start on, sealed in the store, published with
/// a certificate each.
package struct SigningKeys: Sendable {
    /// A key that may sign.
    package struct Key: Sendable {
        package let id: String
        package let algorithm: SignatureAlgorithm
        package let signer: TokenSigner
        /// For clients that want keys as X.509 certificates, as PEM.
        package let certificate: String
    }

    /// Every key whose tokens are still good, for publishing.
    package let published: [Key]
    /// For verifying the broker's own tokens.
    package let verification: KeySet
    /// The public keys as a JWK Set (RFC 7517 §5).
    package let jwks: JSONValue
    private let active: [SignatureAlgorithm: Key]

    /// - Throws: ``ConfigurationError`` when a stored key does not open or an algorithm has no active key.
    private init(_ rows: [StoredSigningKey], sealer: Sealer) throws {
        var keys: [Key] = []
        var active: [SignatureAlgorithm: Key] = [:]
        var publicKeys: [JSONValue] = []
        for row in rows where row.state != .revoked {
            let algorithm = SignatureAlgorithm(row.algorithm)
            let key = try Self.open(row, algorithm, sealer)
            keys.append(key)
            publicKeys.append(try JSONValue(parsing: row.publicJWK.utf8))
            if row.state == .active { active[algorithm] = key }
        }
        for algorithm in SignatureAlgorithm.allCases where active[algorithm] == nil {
            throw ConfigurationError("the store", "has no active \(algorithm.rawValue) signing key.")
        }
        published = keys
        self.active = active
        jwks = ["keys": .array(publicKeys)]
        verification = try KeySet(importing: jwks)
    }

    /// The key new tokens of an algorithm are signed with.
    func active(_ algorithm: SignatureAlgorithm) throws -> Key {
        guard let key = active[algorithm] else { throw BrokerError.storeUnavailable }
        return key
    }

    private static func open(_ row: StoredSigningKey, _ algorithm: SignatureAlgorithm, _ sealer: Sealer) throws -> Key {
        let der = try sealer.open(row.sealedPrivateKey, row: sealedRow(keyID: row.kid, family: row.family))
        let key = try PrivateSigningKey(algorithm: algorithm, derRepresentation: der)
        return Key(
            id: row.kid, algorithm: algorithm, signer: try TokenSigner(keyID: row.kid, key: key),
            certificate: row.certificate)
    }

    static func sealedRow(keyID: String, family: StoredSigningKey.Family) -> [String] {
        ["signing_keys", family.rawValue, keyID]
    }
}

extension SigningKeys {
    /// Reads the keys, making the first pair when the store has none yet.
    ///
    /// Two brokers that start on one empty store end up with one pair: the second finds the first one's in the
    /// transaction that would have written its own.
    package static func open(
        _ store: Store, masterKey: MasterKey, commonName: String, keys: KeyGenerator, now: Date
    ) async throws -> SigningKeys {
        let sealer = Sealer(masterKey, for: .signingKeys)
        let family = StoredSigningKey.Family.identityToolkit
        var rows = try await store.read { try $0.signingKeys(family: family) }
        if rows.isEmpty {
            let fresh = try SignatureAlgorithm.allCases.map {
                try StoredSigningKey.generate($0, family, sealer: sealer, commonName: commonName, keys: keys, now: now)
            }
            rows = try await store.write { transaction in
                guard try transaction.signingKeys(family: family).isEmpty else {
                    return try transaction.signingKeys(family: family)
                }
                for row in fresh { try transaction.insert(row) }
                return fresh
            }
        }
        return try SigningKeys(rows, sealer: sealer)
    }
}

extension StoredSigningKey {
    fileprivate static func generate(
        _ algorithm: SignatureAlgorithm, _ family: Family, sealer: Sealer, commonName: String, keys: KeyGenerator,
        now: Date
    ) throws -> StoredSigningKey {
        let key = try PrivateSigningKey.generate(algorithm)
        let keyID = try key.publicKey.jwk().thumbprint
        return StoredSigningKey(
            key: keys.next(at: now), kid: keyID, family: family, algorithm: .init(algorithm),
            state: .active,
            sealedPrivateKey: try sealer.seal(
                key.derRepresentation, row: SigningKeys.sealedRow(keyID: keyID, family: family)),
            publicJWK: try key.publicKey.jwk(keyID: keyID).jsonValue.serialized(),
            certificate: try SigningCertificate.selfSigned(key, algorithm, commonName: commonName, now: now),
            createdAt: Timestamp(now), activatesAt: Timestamp(now), retiresAt: nil)
    }
}

extension SignatureAlgorithm {
    fileprivate init(_ stored: StoredSigningKey.Algorithm) {
        self =
            switch stored {
            case .es256: .es256
            case .rs256: .rs256
            }
    }
}

extension StoredSigningKey.Algorithm {
    fileprivate init(_ algorithm: SignatureAlgorithm) {
        self =
            switch algorithm {
            case .es256: .es256
            case .rs256: .rs256
            }
    }
}
