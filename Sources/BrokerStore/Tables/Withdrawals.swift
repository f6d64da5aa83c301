/// The statements of `withdrawals`.
enum WithdrawalStatements {
    static let insert = Statement(
        "insert_withdrawal",
        """
        INSERT INTO withdrawals (\(Withdrawal.columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        """,
        .integer, .text, .text, .text, .text, .text, .text, .text, .text, .text, .blob, .integer, .integer, .integer,
        .integer, .text, .integer, .integer)

    static let byID = Statement(
        "withdrawal_by_id", "SELECT \(Withdrawal.columns) FROM withdrawals WHERE id = $1", .text)

    static let list = Statement(
        "withdrawals",
        """
        SELECT \(Withdrawal.columns) FROM withdrawals
        WHERE ($1 IS NULL OR state = $1) AND ($2 IS NULL OR provider = $2)
            AND ($3 = 1 OR state NOT IN ('done', 'dropped'))
        ORDER BY key LIMIT $4
        """, .text, .text, .integer, .integer)

    static let latest = Statement(
        "latest_withdrawal_of_subject",
        """
        SELECT \(Withdrawal.columns) FROM withdrawals
        WHERE subject_hash = $1 AND provider = $2 AND issuer = $3 AND created_at >= $4 AND state <> 'dropped'
        ORDER BY key DESC LIMIT 1
        """, .text, .text, .text, .integer)

    /// A lease that ends after `$2` was written with a wrong clock and is ignored.
    private static let isDue =
        "next_attempt_at <= $1 AND (lease_until IS NULL OR lease_until <= $1 OR lease_until > $2)"

    static let dueProviders = Statement(
        "providers_with_due_withdrawals", "SELECT DISTINCT provider FROM withdrawals WHERE \(isDue)", .integer, .integer
    )

    static let claim = Statement(
        "claim_withdrawals",
        """
        UPDATE withdrawals SET lease_holder = $3, lease_until = $4, attempts = attempts + 1 WHERE key IN (
            SELECT key FROM withdrawals WHERE provider = $5 AND \(isDue) ORDER BY next_attempt_at, key LIMIT $6)
        RETURNING \(Withdrawal.columns)
        """, .integer, .integer, .text, .integer, .text, .integer)

    static let settle = Statement(
        "settle_withdrawal",
        """
        UPDATE withdrawals SET state = $4, reason = $5, next_attempt_at = $6, ended_at = $7,
            sealed_grant = CASE WHEN $4 IN ('done', 'dropped') THEN NULL ELSE sealed_grant END,
            lease_holder = NULL, lease_until = NULL
        WHERE key = $1 AND lease_holder = $2 AND attempts = $3 AND ended_at IS NULL RETURNING key
        """, .integer, .text, .integer, .text, .text, .integer, .integer)

    static let queueAgain = Statement(
        "queue_withdrawal_again",
        """
        UPDATE withdrawals SET state = 'queued', queued_at = $2, next_attempt_at = $2, ended_at = NULL
        WHERE id = $1 AND sealed_grant IS NOT NULL RETURNING \(Withdrawal.columns)
        """, .text, .integer)

    static let drop = Statement(
        "drop_withdrawal",
        """
        UPDATE withdrawals SET state = 'dropped', reason = $2, ended_at = $3, next_attempt_at = NULL,
            sealed_grant = NULL, lease_holder = NULL, lease_until = NULL
        WHERE id = $1 AND sealed_grant IS NOT NULL RETURNING \(Withdrawal.columns)
        """, .text, .text, .integer)

    static let removeEnded = Statement(
        "remove_ended_withdrawals",
        """
        DELETE FROM withdrawals WHERE key IN (
            SELECT key FROM withdrawals WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2) RETURNING key
        """, .integer, .integer)

    static let backlog = Statement(
        "withdrawal_backlog",
        """
        SELECT state, count(*) FROM withdrawals WHERE state NOT IN ('done', 'dropped') GROUP BY state ORDER BY state
        """)

    static let all = [insert, byID, list, latest, dueProviders, claim, settle, queueAgain, drop, removeEnded, backlog]
}

extension Transaction {
    /// The number of withdrawals in each state that is not final.
    package func withdrawalBacklog() throws(StoreError) -> [(state: String, count: Int64)] {
        try run(WithdrawalStatements.backlog).map { row throws(StoreError) in
            var row = row
            return (try row.text(), try row.integer())
        }
    }

    /// Queues a withdrawal, in the transaction that takes the grant from its identity.
    package func insert(_ withdrawal: Withdrawal) throws(StoreError) {
        try run(WithdrawalStatements.insert, values: withdrawal.values)
    }

    /// The withdrawal of this receipt.
    package func withdrawal(id: String) throws(StoreError) -> Withdrawal? {
        try withdrawals(run(WithdrawalStatements.byID, .text(id))).first
    }

    /// The latest withdrawal of a subject's grant since `moment`, unless it was dropped.
    package func latestWithdrawal(
        of identity: IdentityKey, subjectHash: String, since moment: Timestamp
    ) throws(StoreError) -> Withdrawal? {
        try withdrawals(
            run(
                WithdrawalStatements.latest, .text(subjectHash), .text(identity.provider), .text(identity.issuer),
                .time(moment))
        ).first
    }

    /// Withdrawals, oldest first.
    ///
    /// - Parameters:
    ///   - state: Only those of this state; nil for all that are neither done nor dropped.
    ///   - provider: Only those of this provider entry.
    ///   - includesErased: Whether a list of every state has the done and the dropped ones too.
    ///   - limit: How many at most.
    /// - Returns: The rows.
    /// - Throws: ``StoreError``.
    package func withdrawals(
        state: Withdrawal.State? = nil, provider: String? = nil, includesErased: Bool = false, limit: Int
    ) throws(StoreError) -> [Withdrawal] {
        try withdrawals(
            run(
                WithdrawalStatements.list, .text(orNull: state?.rawValue), .text(orNull: provider),
                .flag(includesErased || state != nil), .limit(limit)))
    }

    /// The provider entries with a withdrawal that ``claimWithdrawals(_:of:limit:at:)`` would find.
    package func providersWithDueWithdrawals(at now: Timestamp) throws(StoreError) -> [String] {
        try run(WithdrawalStatements.dueProviders, .time(now), .time(now.advanced(by: Lease.longest)))
            .map { row throws(StoreError) in
                var row = row
                return try row.text()
            }
    }

    /// Takes the right to make the next attempt of a provider's withdrawals that are due, and counts the attempts.
    ///
    /// - Parameters:
    ///   - claim: The broker, and how long no other may attempt them.
    ///   - provider: The id of the provider entry.
    ///   - limit: How many at most.
    ///   - now: The moment.
    /// - Returns: The claimed ones.
    /// - Throws: ``StoreError``.
    package func claimWithdrawals(
        _ claim: Withdrawal.Claim, of provider: String, limit: Int, at now: Timestamp
    ) throws(StoreError) -> [Withdrawal] {
        try withdrawals(
            run(
                WithdrawalStatements.claim, .time(now), .time(now.advanced(by: Lease.longest)), .text(claim.holder),
                .time(claim.until), .text(provider), .limit(limit)))
    }

    /// Writes the result of an attempt, and gives up the claim. A row that is done or dropped loses its sealed grant.
    ///
    /// - Parameters:
    ///   - withdrawal: The row as it was claimed.
    ///   - state: Its state after the attempt.
    ///   - reason: The result, for operators.
    ///   - nextAttempt: When it is due again; nil for a state that has no further attempt.
    ///   - now: The moment.
    /// - Returns: false if the claim was lost, or an operator ended the withdrawal meanwhile; then nothing was written.
    /// - Throws: ``StoreError``.
    package func settle(
        _ withdrawal: Withdrawal, as state: Withdrawal.State, reason: String?, nextAttempt: Timestamp?,
        at now: Timestamp
    ) throws(StoreError) -> Bool {
        let rows = try run(
            WithdrawalStatements.settle, .integer(withdrawal.key), .text(withdrawal.claim?.holder ?? ""),
            .integer(withdrawal.attempts), .text(state.rawValue), .text(orNull: reason),
            .time(orNull: state.isOpen ? nextAttempt ?? now : nil), .time(orNull: state.isOpen ? nil : now))
        return !rows.isEmpty
    }

    /// Makes a withdrawal due at once, with the whole configured time until it is dead.
    ///
    /// - Returns: The row; nil if there is none, or its grant is erased.
    package func queueWithdrawalAgain(id: String, at now: Timestamp) throws(StoreError) -> Withdrawal? {
        try withdrawals(run(WithdrawalStatements.queueAgain, .text(id), .time(now))).first
    }

    /// Ends a withdrawal without an attempt and erases its sealed grant.
    ///
    /// - Returns: The row; nil if there is none, or its grant is erased already.
    package func dropWithdrawal(id: String, reason: String, at now: Timestamp) throws(StoreError) -> Withdrawal? {
        try withdrawals(run(WithdrawalStatements.drop, .text(id), .text(reason), .time(now))).first
    }

    /// Removes withdrawals that ended at `moment` or before, with the grants of dead letters, the earliest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeWithdrawals(endedBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(WithdrawalStatements.removeEnded, .time(moment), .limit(limit)).count
    }

    private func withdrawals(_ rows: [Row]) throws(StoreError) -> [Withdrawal] {
        try rows.map { row throws(StoreError) in
            var row = row
            return try Withdrawal(reading: &row)
        }
    }
}
