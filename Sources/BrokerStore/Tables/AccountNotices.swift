/// Something about an account that an app is told once, in the answer to the user's next sign-in or refresh.
package struct AccountNotice: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Another user was merged into this one.
        case mergedFrom = "merged-from"
        /// The provider knows the user of an anonymous identity now.
        case promoted
    }

    /// Private, time-ordered.
    package var key: Int64
    package var userKey: Int64
    package var kind: Kind
    /// The local id of the user that was merged.
    package var value: String?
    package var createdAt: Timestamp

    package init(key: Int64, userKey: Int64, kind: Kind, value: String? = nil, createdAt: Timestamp) {
        self.key = key
        self.userKey = userKey
        self.kind = kind
        self.value = value
        self.createdAt = createdAt
    }
}

/// The statements of `account_notices`.
enum AccountNoticeStatements {
    private static let columns = "key, user_key, kind, value, created_at"

    static let insert = Statement(
        "insert_account_notice",
        "INSERT INTO account_notices (\(columns)) VALUES ($1, $2, $3, $4, $5)",
        .integer, .integer, .text, .text, .integer)

    /// Whether the answer with the present generation of a session may have notices, in a query of `sessions`.
    static let areDue = """
        EXISTS (SELECT 1 FROM account_notices WHERE account_notices.user_key = sessions.user_key
            AND (account_notices.session_id IS NULL OR account_notices.session_id = sessions.id
                AND account_notices.generation = sessions.generation))
        """

    static let deliver = Statement(
        "deliver_account_notices",
        """
        UPDATE account_notices SET session_id = $2, generation = $3, delivered_at = $4
        WHERE user_key = $1 AND (session_id IS NULL
            OR session_id = $2 AND generation = $3 AND delivered_at >= $5)
        RETURNING \(columns)
        """, .integer, .text, .integer, .integer, .integer)

    static let move = Statement(
        "move_account_notices", "UPDATE account_notices SET user_key = $2 WHERE user_key = $1", .integer, .integer)

    static let removeMerge = Statement(
        "remove_merge_notice",
        "DELETE FROM account_notices WHERE user_key = $1 AND kind = 'merged-from' AND value = $2", .integer, .text)

    static let removeAged = Statement(
        "remove_aged_account_notices",
        """
        DELETE FROM account_notices WHERE key IN (
            SELECT key FROM account_notices WHERE created_at <= $1 OR delivered_at <= $2 ORDER BY key LIMIT $3)
        RETURNING key
        """, .integer, .integer, .integer)

    static let all = [insert, deliver, move, removeMerge, removeAged]
}

extension Transaction {
    /// Adds a notice.
    package func insert(_ notice: AccountNotice) throws(StoreError) {
        try run(
            AccountNoticeStatements.insert, .integer(notice.key), .integer(notice.userKey),
            .text(notice.kind.rawValue), .text(orNull: notice.value), .time(notice.createdAt))
    }

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
        try run(
            AccountNoticeStatements.deliver, .integer(session.userKey), .text(session.id), .integer(session.generation),
            .time(now), .time(repeatedSince)
        ).map { row throws(StoreError) in try AccountNotice(reading: row) }.sorted { $0.key < $1.key }
    }

    /// Gives the notices of one user to another.
    package func moveNotices(from userKey: Int64, to survivor: Int64) throws(StoreError) {
        try run(AccountNoticeStatements.move, .integer(userKey), .integer(survivor))
    }

    /// Removes the notice of a merge, delivered or not.
    package func removeNotice(ofMerge localID: String, for userKey: Int64) throws(StoreError) {
        try run(AccountNoticeStatements.removeMerge, .integer(userKey), .text(localID))
    }

    /// Removes the notices that were created or delivered by these moments, the oldest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeNotices(
        createdBy created: Timestamp, deliveredBy delivered: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        try run(AccountNoticeStatements.removeAged, .time(created), .time(delivered), .limit(limit)).count
    }
}

extension AccountNotice {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        let (key, userKey, kind) = (try row.integer(), try row.integer(), try row.choice(Kind.self))
        self.init(
            key: key, userKey: userKey, kind: kind, value: try row.optionalText(), createdAt: try row.time())
    }
}
