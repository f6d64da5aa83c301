// Generated from `service_account_keys` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// The public half of a service account's key; the private half is not stored.
package struct StoredServiceAccountKey: Record {
    /// Private, time-ordered.
    package var key: Int64
    package var accountKey: Int64
    /// The `kid` of what the key signs.
    package var id: String
    /// The public key as a JWK.
    package var publicJWK: String
    package var createdAt: Timestamp
    /// `nil` until a later key replaces it.
    package var expiresAt: Timestamp?

    package init(
        key: Int64, accountKey: Int64, id: String, publicJWK: String, createdAt: Timestamp, expiresAt: Timestamp? = nil
    ) {
        self.key = key
        self.accountKey = accountKey
        self.id = id
        self.publicJWK = publicJWK
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension StoredServiceAccountKey {
    package static let table = TableDefinition.serviceAccountKeys
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        accountKey = try row.integer()
        id = try row.text()
        publicJWK = try row.text()
        createdAt = try row.time()
        expiresAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [.integer(key), .integer(accountKey), .text(id), .text(publicJWK), .time(createdAt), .time(orNull: expiresAt)]
    }
}
