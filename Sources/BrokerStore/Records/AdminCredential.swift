// Generated from `admin_credentials` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A credential of a backend or an administrator at the HTTP API.
package struct AdminCredential: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The public id, for lists and the audit.
    package var id: String
    package var name: String
    /// SHA-256 of the token.
    package var tokenHash: [UInt8]
    /// The granted scopes, separated by spaces.
    package var scopes: String
    package var createdAt: Timestamp
    /// `nil`: it is valid until it is revoked.
    package var expiresAt: Timestamp?
    package var revokedAt: Timestamp?
    /// The last use, to the minute.
    package var lastUsedAt: Timestamp?

    package init(
        key: Int64, id: String, name: String, tokenHash: [UInt8], scopes: String, createdAt: Timestamp,
        expiresAt: Timestamp? = nil, revokedAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
    ) {
        self.key = key
        self.id = id
        self.name = name
        self.tokenHash = tokenHash
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }
}

extension AdminCredential {
    package static let table = TableDefinition.adminCredentials
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        name = try row.text()
        tokenHash = try row.blob()
        scopes = try row.text()
        createdAt = try row.time()
        expiresAt = try row.optionalTime()
        revokedAt = try row.optionalTime()
        lastUsedAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(name), .blob(tokenHash), .text(scopes), .time(createdAt),
            .time(orNull: expiresAt), .time(orNull: revokedAt), .time(orNull: lastUsedAt),
        ]
    }
}
