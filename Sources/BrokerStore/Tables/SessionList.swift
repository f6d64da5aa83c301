/// Which of a user's sessions a list shows, newest first.
package struct SessionFilter: Sendable, Hashable {
    /// Those before the session with the id `$2`, if there is one.
    static let isBefore = "($2 IS NULL OR key < (SELECT cursor.key FROM sessions AS cursor WHERE cursor.id = $2))"

    package let userKey: Int64
    /// Whether to include revoked, superseded and expired sessions.
    package var includesEnded = false
    /// Sessions used last before this moment have expired.
    package var idleSince: Timestamp
    /// Sessions that began before this moment have expired.
    package var createdSince: Timestamp
    /// The family whose sessions do not expire by age.
    package var ageless: Session.Family?

    package init(
        userKey: Int64, includesEnded: Bool = false, idleSince: Timestamp, createdSince: Timestamp,
        ageless: Session.Family? = nil
    ) {
        self.userKey = userKey
        self.includesEnded = includesEnded
        self.idleSince = idleSince
        self.createdSince = createdSince
        self.ageless = ageless
    }
}

/// The device that began a session.
package struct SessionStart: Sendable, Hashable {
    package let at: Timestamp
    package let userAgent: String
}

extension Transaction {
    /// The devices of a user's sessions that began from one moment through another.
    package func sessionStarts(
        userKey: Int64, from start: Timestamp, through end: Timestamp
    ) throws(StoreError) -> [SessionStart] {
        try rows(
            "session_starts",
            """
            SELECT created_at, user_agent FROM sessions
            WHERE user_key = $1 AND created_at >= $2 AND created_at <= $3 AND user_agent IS NOT NULL
            ORDER BY key DESC LIMIT 1000
            """, .integer(userKey), .time(start), .time(end)
        ) { row throws(StoreError) in SessionStart(at: try row.time(), userAgent: try row.text()) }
    }

    /// A page of a user's sessions, newest first.
    ///
    /// - Parameters:
    ///   - filter: Whose, and which.
    ///   - cursor: The id of the session the page follows; nil begins with the newest. After an id that is unknown
    ///     there is nothing.
    ///   - limit: How many at most.
    /// - Returns: The sessions.
    /// - Throws: ``StoreError``.
    package func sessions(
        _ filter: SessionFilter, after cursor: String? = nil, limit: Int
    ) throws(StoreError) -> [Session] {
        if filter.includesEnded {
            return try all(
                "sessions_of_user",
                """
                SELECT \(Session.columns) FROM sessions WHERE user_key = $1 AND \(SessionFilter.isBefore)
                ORDER BY key DESC LIMIT $3
                """, .integer(filter.userKey), .text(orNull: cursor), .limit(limit))
        }
        return try all(
            "unended_sessions_of_user",
            """
            SELECT \(Session.columns) FROM sessions
            WHERE user_key = $1 AND \(SessionFilter.isBefore) AND revoked_at IS NULL
                AND epoch = (SELECT users.epoch FROM users WHERE users.key = sessions.user_key)
                AND (coalesce(family, 'identity-toolkit') = $6 OR (\(Session.latestUse) >= $4 AND created_at >= $5))
            ORDER BY key DESC LIMIT $3
            """, .integer(filter.userKey), .text(orNull: cursor), .limit(limit), .time(filter.idleSince),
            .time(filter.createdSince), .text(filter.ageless?.rawValue ?? ""))
    }

    /// Ends a user's sessions beyond `limit`, those used longest ago first; a thousand at most.
    ///
    /// - Parameters:
    ///   - userKey: The user.
    ///   - limit: The maximum number of valid sessions; at least one.
    ///   - id: The new session, which stays.
    ///   - now: The time.
    ///   - reason: The reason of the revocation.
    ///   - count: The number of sessions that are not revoked, where it is known.
    /// - Returns: The number of revoked sessions.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func limitSessions(
        of userKey: Int64, to limit: Int, besides id: String, at now: Timestamp, reason: String,
        counted count: Int64? = nil
    ) throws(StoreError) -> Int {
        let count = if let count { count } else { try liveSessions(of: userKey) }
        guard count > limit else { return 0 }
        return try publishEnds(
            of: rows(
                "limit_sessions_of_user",
                """
                UPDATE sessions SET revoked_at = $3, revoked_reason = $4 WHERE key IN (
                    SELECT key FROM sessions WHERE user_key = $1 AND revoked_at IS NULL AND id <> $5
                    ORDER BY \(Session.latestUse) DESC, key DESC LIMIT 1000 OFFSET $2)
                RETURNING \(EndedSession.columns)
                """, .integer(userKey), .limit(limit - 1), .time(now), .text(reason), .text(id),
                decode: EndedSession.init(reading:)), reason: reason)
    }

    private func liveSessions(of userKey: Int64) throws(StoreError) -> Int64 {
        let count = try value(
            "count_live_sessions_of_user", "SELECT count(*) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL",
            .integer(userKey)
        ) { row throws(StoreError) in try row.integer() }
        return count ?? 0
    }
}
