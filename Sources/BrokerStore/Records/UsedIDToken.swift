// Generated from `used_id_tokens` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A consumed single-use token that has no other row: an ID token, or the pending token of a sign-in.
package struct UsedIDToken: Record {
    /// Brokers of schema 44 and before remove rows by it.
    package var key: Int64
    /// SHA-256 of what was signed; the signature itself may have several spellings.
    package var tokenHash: [UInt8]
    /// The user who signed in with it.
    package var localID: String
    package var usedAt: Timestamp
    /// The time from which on its verification fails.
    package var expiresAt: Timestamp

    package init(key: Int64, tokenHash: [UInt8], localID: String, usedAt: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.tokenHash = tokenHash
        self.localID = localID
        self.usedAt = usedAt
        self.expiresAt = expiresAt
    }
}

extension UsedIDToken {
    package static let table = TableDefinition.usedIDTokens
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        tokenHash = try row.blob()
        localID = try row.text()
        usedAt = try row.time()
        expiresAt = try row.time()
    }

    package var values: [SQLValue] {
        [.integer(key), .blob(tokenHash), .text(localID), .time(usedAt), .time(expiresAt)]
    }
}
