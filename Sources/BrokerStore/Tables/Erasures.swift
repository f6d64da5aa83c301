/// The deletion of a user, as the list of erasures has it: a restored backup from before it has the user again.
package struct Erasure: Sendable, Hashable {
    package let localID: String
    package let at: Timestamp

    package init(localID: String, at: Timestamp) {
        self.localID = localID
        self.at = at
    }
}

extension Transaction {
    /// The next erasures in the order of their keys.
    package func erasures(
        after key: Int64, limit: Int
    ) throws(StoreError) -> [(key: Int64, erasure: Erasure)] {
        try rows(
            "erasures",
            """
            SELECT key, local_id, at FROM audit WHERE event = 'user.deleted' AND key > $1 AND local_id IS NOT NULL
            ORDER BY key LIMIT $2
            """, .integer(key), .limit(limit)
        ) { row throws(StoreError) in
            (key: try row.integer(), erasure: Erasure(localID: try row.text(), at: try row.time()))
        }
    }

    /// Deletes the user of an erasure again, in a restored store: the user, or what is left of one that was merged into
    /// another. A user who was created after the erasure stays, and so does one of a backup that is later than it.
    ///
    /// The user's grants are not withdrawn: they were when the user was deleted.
    ///
    /// - Parameters:
    ///   - erasure: The erasure.
    ///   - audit: The audit entry of the restore, whose actor and request this deletion has.
    /// - Returns: Whether there was something to delete.
    /// - Throws: ``StoreError``.
    func repeatErasure(_ erasure: Erasure, _ audit: AuditEntry) throws(StoreError) -> Bool {
        if let last = try lastErasure(of: erasure.localID), last >= erasure.at { return false }
        if let user = try user(localID: erasure.localID) {
            guard user.createdAt <= erasure.at, try removeUser(user.key) else { return false }
        } else {
            guard try removeUserAlias(erasure.localID) else { return false }
            try removeMergeSnapshots(ofAbsorbed: erasure.localID)
        }
        try append(
            AuditEntry(
                key: nextKey(), at: audit.at, actorKind: audit.actorKind, actor: audit.actor, event: "user.deleted",
                localID: erasure.localID, requestID: audit.requestID))
        return true
    }

    /// Removes a user with everything that belongs to it.
    ///
    /// - Returns: false if there is no such user.
    package func removeUser(_ userKey: Int64) throws(StoreError) -> Bool {
        // A user who returns after the deletion is not shown what the provider sent for the first account.
        try removeFirstTimeProfiles(of: userKey)
        return try deleteUser(key: userKey)
    }

    private func lastErasure(of localID: String) throws(StoreError) -> Timestamp? {
        let last = try value(
            "last_erasure", "SELECT max(at) FROM audit WHERE local_id = $1 AND event = 'user.deleted'", .text(localID)
        ) { row throws(StoreError) in try row.optionalTime() }
        return last ?? nil
    }
}
