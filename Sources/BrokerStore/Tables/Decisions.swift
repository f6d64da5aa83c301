extension Decision {
    /// The beginning of the outcome of a refusal; the code of its error follows.
    package static let refused = "refused "
}

/// None of the queries of `decisions` changes what a row says.
extension Transaction {
    /// Adds `decision`, in the transaction that carries it out.
    package func append(_ decision: Decision) throws(StoreError) {
        try insert(decision)
    }

    /// The decisions that led to a user, latest first.
    package func decisions(localID: String, limit: Int) throws(StoreError) -> [Decision] {
        let audited: [Decision] = try all(
            "audited_decisions_of_user",
            """
            SELECT \(Decision.columns) FROM audit JOIN decisions ON decisions.key = audit.key
            WHERE audit.local_id = $1 AND decisions.local_id = $1 AND decisions.audited = 1
            ORDER BY audit.key DESC LIMIT $2
            """, .text(localID), .limit(limit))
        let others: [Decision] = try all(
            "other_decisions_of_user",
            """
            SELECT \(Decision.columns) FROM decisions WHERE local_id = $1 AND audited = 0 AND local_id IS NOT NULL
            ORDER BY key DESC LIMIT $2
            """, .text(localID), .limit(limit))
        return Self.latest(audited + others, limit)
    }

    /// Has decisions found without their audit entries, which are about to be removed.
    func separateDecisions(fromSealedAuditUpTo sequence: Int64) throws(StoreError) {
        try run(
            "separate_decisions",
            """
            UPDATE decisions SET audited = 0 WHERE audited = 1 AND key IN (
                SELECT audit.key FROM audit WHERE audit.sequence IS NOT NULL AND audit.sequence <= $1)
            """, .integer(sequence))
    }

    /// The refusals about a user that precede `key`, latest first. None has an audit entry.
    package func refusals(localID: String, before key: Int64, limit: Int) throws(StoreError) -> [Decision] {
        try all(
            "refusals_of_user_before",
            """
            SELECT \(Decision.columns) FROM decisions
            WHERE local_id = $1 AND audited = 0 AND local_id IS NOT NULL AND key < $2
                AND substr(outcome, 1, length($3)) = $3
            ORDER BY key DESC LIMIT $4
            """, .text(localID), .integer(key), .text(Decision.refused), .limit(limit))
    }

    /// The decisions one request led to, latest first. Those of sign-ins and links, which are `audited`, are found by their
    /// keys, which are in the order of time: an index of requests would be written with each. The others have one.
    ///
    /// - Parameters:
    ///   - requestID: The id of the request.
    ///   - time: When the request came, by ``KeyGenerator/present(at:)``; nil when that is unknown, and none that is audited
    ///     is looked for.
    ///   - limit: How many at the most.
    /// - Returns: The decisions; of those that are audited, the ones of ``requestSpan`` before and after that time.
    /// - Throws: A store's error.
    package func decisions(requestID: String, at time: Timestamp?, limit: Int) throws(StoreError) -> [Decision] {
        let others: [Decision] = try all(
            "other_decisions_of_request",
            """
            SELECT \(Decision.columns) FROM decisions WHERE request_id = $1 AND audited = 0 ORDER BY key DESC LIMIT $2
            """, .text(requestID), .limit(limit))
        guard let time else { return others }
        let first = KeyGenerator.firstKey(at: time.advanced(by: .zero - Self.requestSpan))
        let last = KeyGenerator.firstKey(after: time.advanced(by: Self.requestSpan))
        let audited: [Decision] = try all(
            "audited_decisions_of_request",
            """
            SELECT \(Decision.columns) FROM decisions
            WHERE key BETWEEN $2 AND $3 AND request_id = $1 AND audited = 1 ORDER BY key DESC LIMIT $4
            """, .text(requestID), .integer(first), .integer(last), .limit(limit))
        return Self.latest(audited + others, limit)
    }

    private static func latest(_ decisions: [Decision], _ limit: Int) -> [Decision] {
        Array(decisions.sorted { $0.key > $1.key }.prefix(max(limit, 0)))
    }

    /// The time between a request and its decision at most, with much to spare: a request ends within a minute.
    package static var requestSpan: Duration { .seconds(600) }

    /// Removes decisions of `moment` or before, the oldest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeDecisions(until moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        // Keys are in the order of time: what is recent is not looked at.
        try run(
            "remove_aged_decisions",
            """
            DELETE FROM decisions WHERE key IN (
                SELECT key FROM decisions WHERE key < $1 AND at <= $2 ORDER BY key LIMIT $3)
            """, .integer(KeyGenerator.firstKey(after: moment)), .time(moment), .limit(limit))
    }
}
