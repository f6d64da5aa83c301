extension AccountNotice {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Another user was merged into this one.
        case mergedFrom = "merged-from"
        /// The provider knows the user of an anonymous identity now.
        case promoted
        /// The merge of this user and another one was undone.
        case unmerged
    }

    /// Whether the answer with the present generation of a session may have notices, in a query of `sessions`.
    static let areDue = """
        EXISTS (SELECT 1 FROM account_notices WHERE account_notices.user_key = sessions.user_key
            AND NOT EXISTS (SELECT 1 FROM notice_deliveries WHERE notice_deliveries.session_key = sessions.key
                AND notice_deliveries.notice_key = account_notices.key
                AND notice_deliveries.generation <> sessions.generation))
        """
}

extension Transaction {
    /// Delivers the notices of a session's user in the answer with this generation of the session.
    ///
    /// - Parameters:
    ///   - session: The session, as the answer names it.
    ///   - now: The time of the answer.
    ///   - repeatedSince: A repetition of an answer from this moment on has the notices of that answer again.
    /// - Returns: The notices, oldest first. No other answer in this session has them.
    /// - Throws: ``StoreError``.
    package func deliverNotices(
        in session: Session, at now: Timestamp, repeatedSince: Timestamp
    ) throws(StoreError) -> [AccountNotice] {
        guard try hasNotices(session.userKey) else { return [] }
        try run(
            "close_notice_deliveries",
            // No answer is of this generation, so theirs is not repeated any more.
            """
            UPDATE notice_deliveries SET generation = -1
            WHERE session_key = $1 AND generation = $2 AND delivered_at < $3
            """, .integer(session.key), .integer(session.generation), .time(repeatedSince))
        try run(
            "deliver_account_notices",
            """
            INSERT INTO notice_deliveries (session_key, notice_key, generation, delivered_at)
            SELECT $1, account_notices.key, $3, $4
            FROM account_notices WHERE account_notices.user_key = $2
            ON CONFLICT DO NOTHING
            """, .integer(session.key), .integer(session.userKey), .integer(session.generation), .time(now))
        return try all(
            "delivered_account_notices",
            """
            SELECT \(AccountNotice.columns) FROM account_notices
            JOIN notice_deliveries ON notice_deliveries.notice_key = account_notices.key
            WHERE notice_deliveries.session_key = $1 AND notice_deliveries.generation = $2
                AND account_notices.user_key = $3 ORDER BY account_notices.key
            """, .integer(session.key), .integer(session.generation), .integer(session.userKey))
    }

    private func hasNotices(_ userKey: Int64) throws(StoreError) -> Bool {
        try run(
            "account_has_notices", "SELECT key FROM account_notices WHERE user_key = $1 LIMIT 1", .integer(userKey)) > 0
    }

    /// Adds a notice of a kind that brokers of schema 40 and before do not know, so that they pass it over.
    package func insertNotice(ofUndoneMerge localID: String, for userKey: Int64) throws(StoreError) {
        let notice = AccountNotice(
            key: nextKey(), userKey: userKey, kind: .unmerged, value: localID, createdAt: now)
        try insert(notice)
        try run(
            "hide_account_notice",
            // They deliver what has no session yet, or the present generation of its session.
            "UPDATE account_notices SET session_id = '', generation = -1 WHERE key = $1", .integer(notice.key))
    }

    /// Removes the notices that a merge of these two users, or its undo, has left for one of them.
    package func removeNotices(ofMerge localID: String, for userKey: Int64) throws(StoreError) {
        try run(
            "remove_merge_notices",
            """
            DELETE FROM account_notices
            WHERE user_key = $1 AND kind IN ('merged-from', 'unmerged') AND value = $2
            """, .integer(userKey), .text(localID))
    }

    /// Removes the notices that were created by a moment, the oldest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeNotices(createdBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_aged_account_notices",
            """
            DELETE FROM account_notices WHERE key IN (
                SELECT key FROM account_notices WHERE created_at <= $1 ORDER BY key LIMIT $2)
            """, .time(moment), .limit(limit))
    }
}
