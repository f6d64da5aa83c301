/// Both users of a merge as they were before it, sealed, for an undo.
package struct MergeSnapshot: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    /// The merge's id.
    package var id: String
    /// The user who has the absorbed user's identities now.
    package var survivorKey: Int64
    package var absorbedLocalID: String
    /// The entry whose provider reported the merge.
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

/// The statements of `merge_snapshots`. A snapshot goes with the user who remained.
enum MergeSnapshotStatements {
    private static let columns = """
        key, id, survivor_key, absorbed_local_id, provider, created_at, expires_at, sealed_users
        """

    static let insert = Statement(
        "insert_merge_snapshot",
        "INSERT INTO merge_snapshots (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        .integer, .text, .integer, .text, .text, .integer, .integer, .blob)

    static let byID = Statement(
        "merge_snapshot", "SELECT \(columns) FROM merge_snapshots WHERE id = $1 AND expires_at > $2", .text, .integer)

    static let live = Statement(
        "merge_snapshots", "SELECT \(columns) FROM merge_snapshots WHERE expires_at > $1 ORDER BY key LIMIT $2",
        .integer, .integer)

    static let ofSurvivor = Statement(
        "merge_snapshots_of_survivor", "SELECT id FROM merge_snapshots WHERE survivor_key = $1 ORDER BY key", .integer)

    static let move = Statement(
        "move_merge_snapshots", "UPDATE merge_snapshots SET survivor_key = $2 WHERE survivor_key = $1",
        .integer, .integer)

    static let moveOne = Statement(
        "move_merge_snapshot", "UPDATE merge_snapshots SET survivor_key = $3 WHERE id = $1 AND survivor_key = $2",
        .text, .integer, .integer)

    static let remove = Statement(
        "remove_merge_snapshot", "DELETE FROM merge_snapshots WHERE id = $1 RETURNING key", .text)

    static let removeOfAbsorbed = Statement(
        "remove_merge_snapshots_of_absorbed", "DELETE FROM merge_snapshots WHERE absorbed_local_id = $1 RETURNING key",
        .text)

    static let removeExpired = Statement(
        "remove_expired_merge_snapshots",
        """
        DELETE FROM merge_snapshots WHERE key IN (
            SELECT key FROM merge_snapshots WHERE expires_at <= $1 ORDER BY key LIMIT $2) RETURNING key
        """, .integer, .integer)

    static let all = [insert, byID, live, ofSurvivor, move, moveOne, remove, removeOfAbsorbed, removeExpired]
}

extension Transaction {
    /// Stores a snapshot.
    package func insert(_ snapshot: MergeSnapshot) throws(StoreError) {
        try run(
            MergeSnapshotStatements.insert, .integer(snapshot.key), .text(snapshot.id),
            .integer(snapshot.survivorKey), .text(snapshot.absorbedLocalID), .text(snapshot.provider),
            .time(snapshot.createdAt), .time(snapshot.expiresAt), .blob(snapshot.sealedUsers))
    }

    /// The snapshot of a merge, unless it has expired.
    package func mergeSnapshot(id: String, at now: Timestamp) throws(StoreError) -> MergeSnapshot? {
        try run(MergeSnapshotStatements.byID, .text(id), .time(now)).first.map { row throws(StoreError) in
            try MergeSnapshot(reading: row)
        }
    }

    /// The snapshots that have not expired, oldest first.
    package func mergeSnapshots(at now: Timestamp, limit: Int) throws(StoreError) -> [MergeSnapshot] {
        try run(MergeSnapshotStatements.live, .time(now), .limit(limit)).map { row throws(StoreError) in
            try MergeSnapshot(reading: row)
        }
    }

    /// The merges into a user that have a snapshot, oldest first.
    package func mergeSnapshotIDs(of survivorKey: Int64) throws(StoreError) -> [String] {
        try run(MergeSnapshotStatements.ofSurvivor, .integer(survivorKey)).map { row throws(StoreError) in
            var row = row
            return try row.text()
        }
    }

    /// Gives the snapshots of a user who is absorbed to the user who remains.
    package func moveMergeSnapshots(from survivorKey: Int64, to heir: Int64) throws(StoreError) {
        try run(MergeSnapshotStatements.move, .integer(survivorKey), .integer(heir))
    }

    /// Gives one snapshot of a user to another.
    package func moveMergeSnapshot(id: String, from survivorKey: Int64, to heir: Int64) throws(StoreError) {
        try run(MergeSnapshotStatements.moveOne, .text(id), .integer(survivorKey), .integer(heir))
    }

    /// Destroys a snapshot.
    ///
    /// - Returns: false if there is none of this merge.
    package func removeMergeSnapshot(id: String) throws(StoreError) -> Bool {
        try !run(MergeSnapshotStatements.remove, .text(id)).isEmpty
    }

    /// Destroys the snapshots of a user who was absorbed.
    package func removeMergeSnapshots(ofAbsorbed localID: String) throws(StoreError) {
        try run(MergeSnapshotStatements.removeOfAbsorbed, .text(localID))
    }

    /// Destroys snapshots that expired at `moment` or before.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeMergeSnapshots(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(MergeSnapshotStatements.removeExpired, .time(moment), .limit(limit)).count
    }
}

extension MergeSnapshot {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), id: row.text(), survivorKey: row.integer(), absorbedLocalID: row.text(),
            provider: row.text(), createdAt: row.time(), expiresAt: row.time(), sealedUsers: row.blob())
    }
}
