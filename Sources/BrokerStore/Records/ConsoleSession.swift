// Generated from `console_sessions` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A session of an administrator at the console.
package struct ConsoleSession: Record {
    /// Private, time-ordered.
    package var key: Int64
    package var administratorKey: Int64
    /// SHA-256 of the cookie.
    package var tokenHash: [UInt8]
    /// SHA-256 of what the provider's entry trusted at the sign-in.
    package var partiesHash: [UInt8]
    /// The time of the authentication, in whole seconds since 1970.
    package var authTime: Int64
    package var createdAt: Timestamp
    /// The time of the latest use, to 15 seconds.
    package var lastUsedAt: Timestamp
    package var userAgent: String?
    package var address: String?

    package init(
        key: Int64, administratorKey: Int64, tokenHash: [UInt8], partiesHash: [UInt8], authTime: Int64,
        createdAt: Timestamp, lastUsedAt: Timestamp, userAgent: String? = nil, address: String? = nil
    ) {
        self.key = key
        self.administratorKey = administratorKey
        self.tokenHash = tokenHash
        self.partiesHash = partiesHash
        self.authTime = authTime
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.userAgent = userAgent
        self.address = address
    }
}

extension ConsoleSession {
    package static let table = TableDefinition.consoleSessions
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        administratorKey = try row.integer()
        tokenHash = try row.blob()
        partiesHash = try row.blob()
        authTime = try row.integer()
        createdAt = try row.time()
        lastUsedAt = try row.time()
        userAgent = try row.optionalText()
        address = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .integer(administratorKey), .blob(tokenHash), .blob(partiesHash), .integer(authTime),
            .time(createdAt), .time(lastUsedAt), .text(orNull: userAgent), .text(orNull: address),
        ]
    }
}
