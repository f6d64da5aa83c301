// Generated from `pending_merges` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A merge of two users that a provider reported or a user asked for, for the decision of an administrator.
package struct PendingMerge: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// Random; what administrators call it by.
    package var id: String
    /// The user who would stay.
    package var survivorKey: Int64
    /// The user who would go.
    package var absorbedKey: Int64
    /// The entry whose provider said so; empty where a user asked for it.
    package var provider: String
    package var createdAt: Timestamp
    /// The time at which an administrator dismissed it; further reports of the provider do not reopen it.
    package var dismissedAt: Timestamp?
    /// The absorbed user's identity whose merge its user has proven; nil for a merge by an e-mail address or for an
    /// unknown reason. The sessions that began with it go on as the survivor's.
    package var provenIdentityKey: Int64?

    package init(
        key: Int64, id: String, survivorKey: Int64, absorbedKey: Int64, provider: String, createdAt: Timestamp,
        dismissedAt: Timestamp? = nil, provenIdentityKey: Int64? = nil
    ) {
        self.key = key
        self.id = id
        self.survivorKey = survivorKey
        self.absorbedKey = absorbedKey
        self.provider = provider
        self.createdAt = createdAt
        self.dismissedAt = dismissedAt
        self.provenIdentityKey = provenIdentityKey
    }
}

extension PendingMerge {
    package static let table = TableDefinition.pendingMerges
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        survivorKey = try row.integer()
        absorbedKey = try row.integer()
        provider = try row.text()
        createdAt = try row.time()
        dismissedAt = try row.optionalTime()
        provenIdentityKey = try row.optionalInteger()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .integer(survivorKey), .integer(absorbedKey), .text(provider), .time(createdAt),
            .time(orNull: dismissedAt), .integer(orNull: provenIdentityKey),
        ]
    }
}
