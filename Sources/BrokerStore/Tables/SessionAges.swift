/// Moments before which a session's end lies so far back that its row is of no more use.
package struct SessionAges: Sendable, Hashable {
    /// It was revoked at this moment or before.
    package let revokedBy: Timestamp
    /// It was last used at this moment or before.
    package let idleSince: Timestamp
    /// It began at this moment or before.
    package let createdBy: Timestamp
    /// The family whose sessions do not expire by age: they go when they were revoked, or are old and of an earlier
    /// epoch of their user.
    package let ageless: Session.Family?
    /// The addresses of sessions that were last used at this moment or before are removed; the sessions stay.
    package let unseenSince: Timestamp

    // Sessions are found by the primary key: an index on the moment of the last use would have to be written with every
    // refresh.
    static let condition = """
        (revoked_at <= $2 OR (\(Session.latestUse) <= $3 OR created_at <= $4)
            AND (coalesce(family, 'identity-toolkit') <> $6
                OR epoch < (SELECT users.epoch FROM users WHERE users.key = sessions.user_key)))
        """

    package init(
        revokedBy: Timestamp, idleSince: Timestamp, createdBy: Timestamp, ageless: Session.Family? = nil,
        unseenSince: Timestamp
    ) {
        self.revokedBy = revokedBy
        self.idleSince = idleSince
        self.createdBy = createdBy
        self.ageless = ageless
        self.unseenSince = unseenSince
    }
}

extension Transaction {
    /// Looks through the next `limit` sessions after `key` for those that may go, and for addresses that may; nil when
    /// there are none.
    package func sessionStretch(
        after key: Int64, _ ages: SessionAges, limit: Int
    ) throws(StoreError) -> Stretch<Int64>? {
        let sessions = try rows(
            "session_stretch",
            """
            SELECT key,
                CASE WHEN \(SessionAges.condition) OR (address IS NOT NULL AND \(Session.latestUse) <= $7)
                    THEN 1 ELSE 0 END
            FROM sessions WHERE key > $1 ORDER BY key LIMIT $5
            """, .integer(key), .time(ages.revokedBy), .time(ages.idleSince), .time(ages.createdBy), .limit(limit),
            .text(ages.ageless?.rawValue ?? ""), .time(ages.unseenSince)
        ) { row throws(StoreError) in (key: try row.integer(), isDue: try row.flag()) }
        return Stretch(sessions, limit: limit)
    }

    /// Removes the sessions of a stretch that may go.
    ///
    /// - Returns: how many went.
    package func removeSessions(after key: Int64, upTo end: Int64, _ ages: SessionAges) throws(StoreError) -> Int {
        try run(
            "remove_aged_sessions",
            "DELETE FROM sessions WHERE key > $1 AND \(SessionAges.condition) AND key <= $5",
            .integer(key), .time(ages.revokedBy), .time(ages.idleSince), .time(ages.createdBy), .integer(end),
            .text(ages.ageless?.rawValue ?? ""))
    }
}
