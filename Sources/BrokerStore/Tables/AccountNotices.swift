extension AccountNotice {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Another user was merged into this one.
        case mergedFrom = "merged-from"
        /// The provider knows the user of an anonymous identity now.
        case promoted
    }

    /// Whether the answer with the present generation of a session may have notices, in a query of `sessions`.
    static let areDue = """
        EXISTS (SELECT 1 FROM account_notices WHERE account_notices.user_key = sessions.user_key
            AND (account_notices.session_id IS NULL OR account_notices.session_id = sessions.id
                AND account_notices.generation = sessions.generation))
        """
}

extension Transaction {
    /// Delivers the notices of a session's user in the answer with this generation of the session.
    ///
    /// - Parameters:
    ///   - session: The session, as the answer names it.
    ///   - now: The time of the answer.
    ///   - repeatedSince: A repetition of an answer from this moment on has the notices of that answer again.
    /// - Returns: The notices, oldest first. No other answer has them.
    /// - Throws: ``StoreError``.
    package func deliverNotices(
        in session: Session, at now: Timestamp, repeatedSince: Timestamp
    ) throws(StoreError) -> [AccountNotice] {
        let notices: [AccountNotice] = try all(
            "deliver_account_notices",
            """
            UPDATE account_notices SET session_id = $2, generation = $3, delivered_at = $4
            WHERE user_key = $1 AND (session_id IS NULL
                OR session_id = $2 AND generation = $3 AND delivered_at >= $5)
            RETURNING \(AccountNotice.columns)
            """,
            .integer(session.userKey), .text(session.id), .integer(session.generation), .time(now),
            .time(repeatedSince))
        return notices.sorted { $0.key < $1.key }
    }

    /// Removes the notice of a merge, delivered or not.
    package func removeNotice(ofMerge localID: String, for userKey: Int64) throws(StoreError) {
        try run(
            "remove_merge_notice",
            "DELETE FROM account_notices WHERE user_key = $1 AND kind = 'merged-from' AND value = $2",
            .integer(userKey), .text(localID))
    }

    /// Removes the notices that were created or delivered by these moments, the oldest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeNotices(
        createdBy created: Timestamp, deliveredBy delivered: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        try run(
            "remove_aged_account_notices",
            """
            DELETE FROM account_notices WHERE key IN (
                SELECT key FROM account_notices WHERE created_at <= $1 OR delivered_at <= $2 ORDER BY key LIMIT $3)
            RETURNING key
            """, .time(created), .time(delivered), .limit(limit))
    }
}
