// Generated from `merge_snapshots` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// Both users of a merge as they were before it, sealed, for an undo.
package struct MergeSnapshot: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The merge's id.
    package var id: String
    /// The user who has the absorbed user's identities now.
    package var survivorKey: Int64
    package var absorbedLocalID: String
    /// The entry whose provider reported the merge; empty where a user asked for it.
    package var provider: String
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var sealedUsers: [UInt8]

    package init(
        key: Int64, id: String, survivorKey: Int64, absorbedLocalID: String, provider: String, createdAt: Timestamp,
        expiresAt: Timestamp, sealedUsers: [UInt8]
    ) {
        self.key = key
        self.id = id
        self.survivorKey = survivorKey
        self.absorbedLocalID = absorbedLocalID
        self.provider = provider
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.sealedUsers = sealedUsers
    }
}

extension MergeSnapshot {
    package static let table = TableDefinition.mergeSnapshots
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        survivorKey = try row.integer()
        absorbedLocalID = try row.text()
        provider = try row.text()
        createdAt = try row.time()
        expiresAt = try row.time()
        sealedUsers = try row.blob()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .integer(survivorKey), .text(absorbedLocalID), .text(provider), .time(createdAt),
            .time(expiresAt), .blob(sealedUsers),
        ]
    }
}
