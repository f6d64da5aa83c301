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
            WHERE id = $1 AND revoked_at IS NULL AND \(Session.latestUse) <= $5
            """, .text(sessionID), .time(now), .text(orNull: userAgent), .text(orNull: address), .time(moment))
    }

    /// Removes the addresses of a stretch of sessions that were last used at `moment` or before.
    ///
    /// - Returns: how many went.
    package func forgetAddresses(
        ofSessionsAfter key: Int64, upTo end: Int64, usedBy moment: Timestamp
    ) throws(StoreError) -> Int {
        try run(
            "forget_addresses_of_sessions",
            """
            UPDATE sessions SET address = NULL
            WHERE key > $1 AND key <= $2 AND address IS NOT NULL AND \(Session.latestUse) <= $3
            """, .integer(key), .integer(end), .time(moment))
    }
}
