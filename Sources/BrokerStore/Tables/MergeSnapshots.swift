/// A snapshot goes with the user who remained.
extension Transaction {
    /// The snapshot of a merge, unless it has expired.
    package func mergeSnapshot(id: String, at now: Timestamp) throws(StoreError) -> MergeSnapshot? {
        try first(
            "merge_snapshot",
            "SELECT \(MergeSnapshot.columns) FROM merge_snapshots WHERE id = $1 AND expires_at > $2",
            .text(id), .time(now))
    }

    /// The snapshots that have not expired, oldest first.
    package func mergeSnapshots(at now: Timestamp, limit: Int) throws(StoreError) -> [MergeSnapshot] {
        try all(
            "merge_snapshots",
            "SELECT \(MergeSnapshot.columns) FROM merge_snapshots WHERE expires_at > $1 ORDER BY key LIMIT $2",
            .time(now), .limit(limit))
    }

    /// The snapshots of merges that the user who remained asked for, oldest first, unless they have expired.
    package func mergeSnapshots(
        askedForBy userKey: Int64, at now: Timestamp, limit: Int
    ) throws(StoreError) -> [MergeSnapshot] {
        try all(
            "merge_snapshots_of_user",
            """
            SELECT \(MergeSnapshot.columns) FROM merge_snapshots
            WHERE survivor_key = $1 AND provider = $2 AND expires_at > $3 ORDER BY key LIMIT $4
            """, .integer(userKey), .text(PendingMerge.ofUser), .time(now), .limit(limit))
    }

    /// Destroys a snapshot.
    ///
    /// - Returns: false if there is none of this merge.
    package func removeMergeSnapshot(id: String) throws(StoreError) -> Bool {
        try run("remove_merge_snapshot", "DELETE FROM merge_snapshots WHERE id = $1", .text(id)) > 0
    }

    /// Destroys the snapshots of a user who was absorbed.
    package func removeMergeSnapshots(ofAbsorbed localID: String) throws(StoreError) {
        try run(
            "remove_merge_snapshots_of_absorbed",
            "DELETE FROM merge_snapshots WHERE absorbed_local_id = $1", .text(localID))
    }

    /// Destroys snapshots that expired at `moment` or before.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeMergeSnapshots(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_expired_merge_snapshots",
            """
            DELETE FROM merge_snapshots WHERE key IN (
                SELECT key FROM merge_snapshots WHERE expires_at <= $1 ORDER BY key LIMIT $2)
            """, .time(moment), .limit(limit))
    }
}
