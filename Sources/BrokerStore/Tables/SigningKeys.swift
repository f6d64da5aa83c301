/// A key the broker signs tokens with; its private half is sealed.
package struct StoredSigningKey: Sendable, Hashable {
    /// Which tokens it signs; the families never accept each other's.
    package enum Family: String, Sendable, Hashable, CaseIterable {
        case identityToolkit = "identity-toolkit"
        case oidc
    }

    /// JWS names (RFC 7518 §3.1).
    package enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// A key's state when its row was last written. Only `revoked` is final: the others follow from ``activatesAt`` and
    /// ``retiresAt``, so a change of state needs no write.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case next, active, retired, revoked
    }

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

/// The statements of `signing_keys`.
enum SigningKeyStatements {
    static let columns = """
        key, kid, family, algorithm, state, sealed_private_key, public_jwk, certificate, created_at, activates_at, \
        retires_at
        """

    static let insert = Statement(
        "insert_signing_key",
        "INSERT INTO signing_keys (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        .integer, .text, .text, .text, .text, .blob, .text, .text, .integer, .integer, .integer)

    static let ofFamily = Statement(
        "signing_keys_of_family", "SELECT \(columns) FROM signing_keys WHERE family = $1 ORDER BY key", .text)

    static let everyKey = Statement("signing_keys", "SELECT \(columns) FROM signing_keys ORDER BY key")

    static let update = Statement(
        "update_signing_key",
        "UPDATE signing_keys SET state = $2, activates_at = $3, retires_at = $4 WHERE kid = $1 AND state <> 'revoked'",
        .text, .text, .integer, .integer)

    static let all = [insert, ofFamily, everyKey, update]
}

extension Transaction {
    /// Keeps a new key.
    package func insert(_ key: StoredSigningKey) throws(StoreError) {
        try run(
            SigningKeyStatements.insert, .integer(key.key), .text(key.kid), .text(key.family.rawValue),
            .text(key.algorithm.rawValue), .text(key.state.rawValue), .blob(key.sealedPrivateKey),
            .text(key.publicJWK), .text(key.certificate), .time(key.createdAt), .time(key.activatesAt),
            .time(orNull: key.retiresAt))
    }

    /// Moves a key on in its life: its state and when that changes. A revoked key stays revoked.
    package func update(_ key: StoredSigningKey) throws(StoreError) {
        try run(
            SigningKeyStatements.update, .text(key.kid), .text(key.state.rawValue), .time(key.activatesAt),
            .time(orNull: key.retiresAt))
    }

    /// The keys of one family, whatever their state, oldest first.
    package func signingKeys(family: StoredSigningKey.Family) throws(StoreError) -> [StoredSigningKey] {
        try run(SigningKeyStatements.ofFamily, .text(family.rawValue)).map { row throws(StoreError) in
            try StoredSigningKey(reading: row)
        }
    }

    /// All keys, whatever their state, oldest first.
    package func allSigningKeys() throws(StoreError) -> [StoredSigningKey] {
        try run(SigningKeyStatements.everyKey).map { row throws(StoreError) in try StoredSigningKey(reading: row) }
    }
}

extension StoredSigningKey {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), kid: row.text(), family: row.choice(Family.self),
            algorithm: row.choice(Algorithm.self), state: row.choice(State.self), sealedPrivateKey: row.blob(),
            publicJWK: row.text(), certificate: row.text(), createdAt: row.time(), activatesAt: row.time(),
            retiresAt: row.optionalTime())
    }
}
