// Generated from `signing_keys` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A key the broker signs tokens with; its private half is sealed.
package struct StoredSigningKey: Record {
    /// Private, time-ordered.
    package var key: Int64
    package var kid: String
    package var family: Family
    package var algorithm: Algorithm
    package var state: State
    package var sealedPrivateKey: [UInt8]
    /// RFC 7517, JSON as text.
    package var publicJWK: String
    /// PEM.
    package var certificate: String
    package var createdAt: Timestamp
    package var activatesAt: Timestamp
    package var retiresAt: Timestamp?

    package init(
        key: Int64, kid: String, family: Family, algorithm: Algorithm, state: State, sealedPrivateKey: [UInt8],
        publicJWK: String, certificate: String, createdAt: Timestamp, activatesAt: Timestamp,
        retiresAt: Timestamp? = nil
    ) {
        self.key = key
        self.kid = kid
        self.family = family
        self.algorithm = algorithm
        self.state = state
        self.sealedPrivateKey = sealedPrivateKey
        self.publicJWK = publicJWK
        self.certificate = certificate
        self.createdAt = createdAt
        self.activatesAt = activatesAt
        self.retiresAt = retiresAt
    }
}

extension StoredSigningKey {
    package static let table = TableDefinition.signingKeys
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        kid = try row.text()
        family = try row.choice(Family.self)
        algorithm = try row.choice(Algorithm.self)
        state = try row.choice(State.self)
        sealedPrivateKey = try row.blob()
        publicJWK = try row.text()
        certificate = try row.text()
        createdAt = try row.time()
        activatesAt = try row.time()
        retiresAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(kid), .text(family.rawValue), .text(algorithm.rawValue), .text(state.rawValue),
            .blob(sealedPrivateKey), .text(publicJWK), .text(certificate), .time(createdAt), .time(activatesAt),
            .time(orNull: retiresAt),
        ]
    }
}
