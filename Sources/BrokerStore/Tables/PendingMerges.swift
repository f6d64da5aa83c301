extension PendingMerge {
    /// The value of ``provider`` for a merge that a user asked for. No entry has this id.
    package static let ofUser = ""

    /// Inserts ``values``, unless the two users stand in a row the other way round.
    static let proposal = Statement(
        "insert_pending_merge",
        """
        INSERT INTO pending_merges (\(PendingMerge.columnNames)) SELECT \(PendingMerge.parameters) WHERE NOT EXISTS (
            SELECT 1 FROM pending_merges AS other WHERE other.survivor_key = $4 AND other.absorbed_key = $3)
        ON CONFLICT DO NOTHING
        """, parameters: RecordStatements(PendingMerge.table).insertion.parameters)
}

/// What was approved goes with the user who was absorbed.
extension Transaction {
    /// Keeps a merge for an administrator.
    ///
    /// - Returns: false if one of these two users waits already or was dismissed, whichever of them would stay.
    package func insert(_ merge: PendingMerge) throws(StoreError) -> Bool {
        let isInserted = try run(PendingMerge.proposal, values: merge.values) > 0
        if !isInserted { try refuseTakenKey(of: merge) }
        return isInserted
    }

    /// The merge with this id, dismissed or not.
    package func pendingMerge(id: String) throws(StoreError) -> PendingMerge? {
        try first("pending_merge", "SELECT \(PendingMerge.columns) FROM pending_merges WHERE id = $1", .text(id))
    }

    /// The merges that wait, oldest first; on request those that were dismissed as well.
    package func pendingMerges(
        includingDismissed: Bool = false, limit: Int
    ) throws(StoreError) -> [PendingMerge] {
        if includingDismissed {
            return try all(
                "every_pending_merge", "SELECT \(PendingMerge.columns) FROM pending_merges ORDER BY key LIMIT $1",
                .limit(limit))
        }
        return try all(
            "open_pending_merges",
            "SELECT \(PendingMerge.columns) FROM pending_merges WHERE dismissed_at IS NULL ORDER BY key LIMIT $1",
            .limit(limit))
    }

    /// Whether an administrator has decided that these two users stay separate.
    package func isMergeDismissed(between one: Int64, and other: Int64) throws(StoreError) -> Bool {
        try run(
            "dismissed_merge_between",
            """
            SELECT key FROM pending_merges WHERE dismissed_at IS NOT NULL
                AND (survivor_key = $1 AND absorbed_key = $2 OR survivor_key = $2 AND absorbed_key = $1)
            """, .integer(one), .integer(other)) > 0
    }

    /// Decides against a merge.
    ///
    /// - Returns: false if there is none with this id that waits.
    package func dismissMerge(id: String, at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "dismiss_pending_merge",
            "UPDATE pending_merges SET dismissed_at = $2 WHERE id = $1 AND dismissed_at IS NULL",
            .text(id), .time(now)) > 0
    }
}
