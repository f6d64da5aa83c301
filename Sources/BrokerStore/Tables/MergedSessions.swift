/// The sessions that a merge gives to the remaining user.
package struct MergedSessions: Sendable, Hashable {
    /// The absorbed user and the identity that was merged; only sessions that began with it move.
    package let absorbed: User
    package let identityKey: Int64
    /// The remaining user and the identity that stands for the merged one from now on.
    package let survivor: User
    package let heirKey: Int64
    /// Sessions used last before this moment have expired.
    package let idleSince: Timestamp
    /// Sessions that began before this moment have expired.
    package let createdSince: Timestamp

    package init(
        of absorbed: User, begunWith identityKey: Int64, to survivor: User, with heirKey: Int64,
        idleSince: Timestamp, createdSince: Timestamp
    ) {
        self.absorbed = absorbed
        self.identityKey = identityKey
        self.survivor = survivor
        self.heirKey = heirKey
        self.idleSince = idleSince
        self.createdSince = createdSince
    }
}

extension Transaction {
    /// Gives the live Identity Toolkit sessions that began with a merged identity to the remaining user, in that user's
    /// epoch. Their refresh tokens stay valid.
    ///
    /// - Returns: how many moved.
    package func move(_ sessions: MergedSessions, at now: Timestamp) throws(StoreError) -> Int {
        // `family` is NULL for Identity Toolkit; sessions of the other families name the user to clients that must not
        // see another one (OpenID Connect Core §12.2), or belong to a browser.
        try run(
            "move_merged_sessions",
            """
            UPDATE sessions SET user_key = $3, epoch = $4, identity_key = $5, merged_at = $6
            WHERE user_key = $1 AND identity_key = $2 AND family IS NULL AND revoked_at IS NULL AND epoch = $7
                AND \(Session.latestUse) >= $8 AND created_at >= $9
            RETURNING key
            """, .integer(sessions.absorbed.key), .integer(sessions.identityKey), .integer(sessions.survivor.key),
            .integer(sessions.survivor.epoch), .integer(sessions.heirKey), .time(now),
            .integer(sessions.absorbed.epoch), .time(sessions.idleSince), .time(sessions.createdSince))
    }

    /// Makes sessions of a user no longer count as begun with an identity.
    package func forgetIdentity(_ identityKey: Int64, ofSessionsOf userKey: Int64) throws(StoreError) {
        try run(
            "forget_identity_of_sessions",
            "UPDATE sessions SET identity_key = NULL WHERE user_key = $1 AND identity_key = $2", .integer(userKey),
            .integer(identityKey))
    }

    /// The number of a user's sessions that were not ended.
    package func liveSessionCount(of user: User) throws(StoreError) -> Int {
        try value(
            "live_sessions_of_user",
            "SELECT count(*) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL AND epoch = $2",
            .integer(user.key), .integer(user.epoch)
        ) { row throws(StoreError) in Int(clamping: try row.integer()) } ?? 0
    }
}
