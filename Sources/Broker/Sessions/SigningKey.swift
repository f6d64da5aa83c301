package import BrokerStore
import Foundation
package import JOSE
import NIOPosix
import ProviderKit

/// An unsealed signing key of the broker.
package struct SigningKey: Sendable {
    package let id: String
    package let algorithm: StoredSigningKey.Algorithm
    package let signer: TokenSigner
    /// For clients that want keys as X.509 certificates, as PEM.
    package let certificate: String
    /// As a JWK (RFC 7517 §4).
    let publicJWK: JSONValue

    /// Unseals a stored key.
    ///
    /// - Throws: An error of the sealer or of JOSE when the row was not written with this master key.
    init(_ row: StoredSigningKey, sealer: Sealer) throws {
        let der = try sealer.open(row.sealedPrivateKey, row: Self.sealedRow(keyID: row.kid, family: row.family))
        id = row.kid
        algorithm = row.algorithm
        let key = try PrivateSigningKey(algorithm: SignatureAlgorithm(algorithm), derRepresentation: der)
        signer =
            switch algorithm {
            case .es256: try TokenSigner(keyID: row.kid, key: key)
            case .rs256: try TokenSigner(keyID: row.kid, key: OpenSSLSigningKey(key))
            }
        certificate = row.certificate
        publicJWK = try JSONValue(parsing: row.publicJWK.utf8)
    }

    fileprivate static func sealedRow(keyID: String, family: StoredSigningKey.Family) -> [String] {
        ["signing_keys", family.rawValue, keyID]
    }
}

extension StoredSigningKey {
    /// Generates a key with its certificate, sealed, to be active from `activatesAt` on. The transaction that inserts it
    /// gives its row a key: ``Transaction/insert(new:)``.
    ///
    /// An RSA key takes a tenth of a second and more, so it is not made on a thread that serves requests.
    static func generate(
        _ algorithm: Algorithm, _ family: Family, sealer: Sealer, commonName: String, now: Date,
        activatesAt: Timestamp
    ) async throws -> StoredSigningKey {
        let key = try await NIOThreadPool.singleton.runIfActive {
            try PrivateSigningKey.generate(SignatureAlgorithm(algorithm))
        }
        let keyID = try key.publicKey.jwk().thumbprint
        return StoredSigningKey(
            key: 0, kid: keyID, family: family, algorithm: algorithm,
            state: activatesAt > Timestamp(now) ? .next : .active,
            sealedPrivateKey: try sealer.seal(
                key.derRepresentation, row: SigningKey.sealedRow(keyID: keyID, family: family)),
            publicJWK: try key.publicKey.jwk(keyID: keyID).jsonValue.serialized(),
            certificate: try SigningCertificate.selfSigned(key, algorithm, commonName: commonName, now: now),
            createdAt: Timestamp(now), activatesAt: activatesAt, retiresAt: nil)
    }
}

extension Transaction {
    /// Inserts a key that was made before the transaction, since making one takes long.
    ///
    /// - Returns: The row as it is stored.
    func insert(new key: StoredSigningKey) throws(StoreError) -> StoredSigningKey {
        var row = key
        row.key = nextKey()
        try insert(row)
        return row
    }
}

extension SignatureAlgorithm {
    /// The algorithm of one of the broker's own keys.
    package init(_ stored: StoredSigningKey.Algorithm) {
        self =
            switch stored {
            case .es256: .es256
            case .rs256: .rs256
            }
    }
}
