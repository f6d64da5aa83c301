/// What a session's user sees of where it is used from.
extension Transaction {
    /// Records that a browser used its session of the hosted pages, unless it did so after `moment` already.
    package func recordVisit(
        of sessionID: String, userAgent: String?, address: String?, at now: Timestamp, unlessUsedAfter moment: Timestamp
    ) throws(StoreError) {
        try run(
            "record_visit_of_session",
            """
            UPDATE sessions SET last_used_at = $2, user_agent = $3, address = $4
            WHERE id = $1 AND revoked_at IS NULL AND \(Session.latestUse) <= $5 RETURNING key
            """, .text(sessionID), .time(now), .text(orNull: userAgent), .text(orNull: address), .time(moment))
    }

    /// Removes the addresses of sessions that were last used at `moment` or before.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func forgetAddresses(ofSessionsUsedBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "forget_addresses_of_sessions",
            """
            UPDATE sessions SET address = NULL WHERE key IN (
                SELECT key FROM sessions WHERE address IS NOT NULL AND created_at <= $1 AND \(Session.latestUse) <= $1
                ORDER BY created_at LIMIT $2) RETURNING key
            """, .time(moment), .limit(limit))
    }
}
