/// A merge of two users that a provider reported, for the decision of an administrator.
package struct PendingMerge: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    /// Random; what administrators call it by.
    package var id: String
    /// The user who would stay.
    package var survivorKey: Int64
    /// The user who would go.
    package var absorbedKey: Int64
    /// The entry whose provider said so.
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

/// The statements of `pending_merges`. What was approved goes with the user who was absorbed.
enum PendingMergeStatements {
    static let columns = "key, id, survivor_key, absorbed_key, provider, created_at, dismissed_at, proven_identity_key"

    static let insert = Statement(
        "insert_pending_merge",
        """
        INSERT INTO pending_merges (\(columns)) SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (
            SELECT 1 FROM pending_merges AS other WHERE other.survivor_key = $4 AND other.absorbed_key = $3)
        ON CONFLICT DO NOTHING RETURNING key
        """, .integer, .text, .integer, .integer, .text, .integer, .integer, .integer)

    static let byID = Statement("pending_merge", "SELECT \(columns) FROM pending_merges WHERE id = $1", .text)

    static let open = Statement(
        "open_pending_merges",
        "SELECT \(columns) FROM pending_merges WHERE dismissed_at IS NULL ORDER BY key LIMIT $1", .integer)

    static let every = Statement(
        "every_pending_merge", "SELECT \(columns) FROM pending_merges ORDER BY key LIMIT $1", .integer)

    static let dismiss = Statement(
        "dismiss_pending_merge",
        "UPDATE pending_merges SET dismissed_at = $2 WHERE id = $1 AND dismissed_at IS NULL RETURNING key",
        .text, .integer)

    static let dismissedBetween = Statement(
        "dismissed_merge_between",
        """
        SELECT key FROM pending_merges WHERE dismissed_at IS NOT NULL
            AND (survivor_key = $1 AND absorbed_key = $2 OR survivor_key = $2 AND absorbed_key = $1)
        """, .integer, .integer)

    static let all = [insert, byID, open, every, dismiss, dismissedBetween]
}

extension Transaction {
    /// Keeps a merge for an administrator.
    ///
    /// - Returns: false if one of these two users waits already or was dismissed, whichever of them would stay.
    package func insert(_ merge: PendingMerge) throws(StoreError) -> Bool {
        try insert(
            PendingMergeStatements.insert, key: merge.key, unless: RowKeyStatements.pendingMerges,
            values: [
                .integer(merge.key), .text(merge.id), .integer(merge.survivorKey), .integer(merge.absorbedKey),
                .text(merge.provider), .time(merge.createdAt), .time(orNull: merge.dismissedAt),
                .integer(orNull: merge.provenIdentityKey),
            ])
    }

    /// The merge with this id, dismissed or not.
    package func pendingMerge(id: String) throws(StoreError) -> PendingMerge? {
        try run(PendingMergeStatements.byID, .text(id)).first.map { row throws(StoreError) in
            try PendingMerge(reading: row)
        }
    }

    /// The merges that wait, oldest first; on request those that were dismissed as well.
    package func pendingMerges(
        includingDismissed: Bool = false, limit: Int
    ) throws(StoreError) -> [PendingMerge] {
        let statement = includingDismissed ? PendingMergeStatements.every : PendingMergeStatements.open
        return try run(statement, .limit(limit)).map { row throws(StoreError) in try PendingMerge(reading: row) }
    }

    /// Whether an administrator has decided that these two users stay separate.
    package func isMergeDismissed(between one: Int64, and other: Int64) throws(StoreError) -> Bool {
        try !run(PendingMergeStatements.dismissedBetween, .integer(one), .integer(other)).isEmpty
    }

    /// Decides against a merge.
    ///
    /// - Returns: false if there is none with this id that waits.
    package func dismissMerge(id: String, at now: Timestamp) throws(StoreError) -> Bool {
        try !run(PendingMergeStatements.dismiss, .text(id), .time(now)).isEmpty
    }
}

extension PendingMerge {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), id: row.text(), survivorKey: row.integer(), absorbedKey: row.integer(),
            provider: row.text(), createdAt: row.time(), dismissedAt: row.optionalTime(),
            provenIdentityKey: row.optionalInteger())
    }
}
