// Generated from `service_accounts` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A service account: an identity of a backend with scopes, which authenticates with keys of its own.
package struct StoredServiceAccount: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The public id, for lists and the audit.
    package var id: String
    package var name: String
    /// Issuer and subject of what the account signs.
    package var email: String
    /// The granted scopes, separated by spaces.
    package var scopes: String
    package var createdAt: Timestamp
    package var revokedAt: Timestamp?
    /// The last use of an access token, to the minute.
    package var lastUsedAt: Timestamp?

    package init(
        key: Int64, id: String, name: String, email: String, scopes: String, createdAt: Timestamp,
        revokedAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
    ) {
        self.key = key
        self.id = id
        self.name = name
        self.email = email
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }
}

extension StoredServiceAccount {
    package static let table = TableDefinition.serviceAccounts
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        name = try row.text()
        email = try row.text()
        scopes = try row.text()
        createdAt = try row.time()
        revokedAt = try row.optionalTime()
        lastUsedAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(name), .text(email), .text(scopes), .time(createdAt),
            .time(orNull: revokedAt), .time(orNull: lastUsedAt),
        ]
    }
}
