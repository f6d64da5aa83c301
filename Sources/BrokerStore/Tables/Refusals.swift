/// Sign-ins, and refusals in which a provider took part, of all brokers.
package struct SignInSum: Sendable, Hashable {
    package let signIns: Int64
    package let failures: Int64

    package init(signIns: Int64, failures: Int64) {
        (self.signIns, self.failures) = (signIns, failures)
    }

    static let columns = """
        CAST(sum(CASE WHEN code = '' THEN count ELSE 0 END) AS bigint),
            CAST(sum(CASE WHEN code <> '' AND provider <> '' THEN count ELSE 0 END) AS bigint)
        """

    fileprivate init(reading row: inout Row) throws(StoreError) {
        signIns = try row.integer()
        failures = try row.integer()
    }
}

/// How often a cause led to a refusal, at all brokers.
package struct CauseSum: Sendable, Hashable {
    package let code: String
    /// The provider entry; empty where none took part.
    package let provider: String
    /// The OAuth client; empty where none was known.
    package let clientID: String
    package let count: Int64
}

extension Transaction {
    /// Adds the cause of a refused request.
    package func append(_ refusal: RecordedRefusal) throws(StoreError) {
        try insert(refusal)
    }

    /// The cause for which a request was refused, if it is still there.
    package func recordedRefusal(requestID: String) throws(StoreError) -> RecordedRefusal? {
        try first(
            "refusal_of_request",
            "SELECT \(RecordedRefusal.columns) FROM refusals WHERE request_id = $1 ORDER BY key DESC LIMIT 1",
            .text(requestID))
    }

    /// The causes of refused requests that precede `key`, newest first; those of a code, a provider or a client where one is
    /// given.
    package func refusals(
        code: String?, provider: String?, clientID: String?, before key: Int64, limit: Int
    ) throws(StoreError) -> [RecordedRefusal] {
        try all(
            "refusals_before",
            """
            SELECT \(RecordedRefusal.columns) FROM refusals
            WHERE key < $1 AND ($2 IS NULL OR code = $2) AND ($3 IS NULL OR provider = $3)
                AND ($4 IS NULL OR client_id = $4)
            ORDER BY key DESC LIMIT $5
            """, .integer(key), .text(orNull: code), .text(orNull: provider), .text(orNull: clientID), .limit(limit))
    }

    /// Removes all but the newest `count` causes.
    package func removeRefusals(exceptNewest count: Int) throws(StoreError) {
        try run(
            "remove_earlier_refusals",
            """
            DELETE FROM refusals WHERE key <= (SELECT key FROM refusals ORDER BY key DESC LIMIT 1 OFFSET $1)
            """, .limit(count))
    }

    /// Stores a broker's count of an hour, in place of a smaller one of its own.
    package func put(_ count: OutcomeCount) throws(StoreError) {
        try run(
            "put_outcome_count",
            """
            INSERT INTO outcome_counts (\(OutcomeCount.columnNames)) VALUES (\(OutcomeCount.parameters))
            ON CONFLICT (hour, code, provider, client_id, holder) DO UPDATE SET count = CASE
                WHEN excluded.count > outcome_counts.count THEN excluded.count ELSE outcome_counts.count END
            """,
            .time(count.hour), .text(count.code), .text(count.provider), .text(count.clientID), .text(count.holder),
            .integer(count.count))
    }

    /// The sums since a moment by intervals of `length` milliseconds, by their beginning.
    package func signInSums(since moment: Timestamp, every length: Int64) throws(StoreError) -> [Timestamp: SignInSum] {
        let sums = try rows(
            "sign_in_sums",
            """
            SELECT hour / $2 * $2, \(SignInSum.columns) FROM outcome_counts WHERE hour >= $1 GROUP BY 1
            """, .time(moment), .integer(length)
        ) { row throws(StoreError) in (try row.time(), try SignInSum(reading: &row)) }
        return Dictionary(sums) { first, _ in first }
    }

    /// The sums since a moment by provider, those with most refusals first.
    package func signInSums(
        byProviderSince moment: Timestamp, limit: Int
    ) throws(StoreError) -> [(provider: String, sum: SignInSum)] {
        try rows(
            "provider_sums",
            """
            SELECT provider, \(SignInSum.columns) FROM outcome_counts WHERE hour >= $1 AND provider <> ''
            GROUP BY provider ORDER BY 3 DESC, 2 DESC, provider LIMIT $2
            """, .time(moment), .limit(limit)
        ) { row throws(StoreError) in (try row.text(), try SignInSum(reading: &row)) }
    }

    /// The causes since a moment, the most frequent first.
    package func causeSums(since moment: Timestamp, limit: Int) throws(StoreError) -> [CauseSum] {
        try rows(
            "cause_sums",
            """
            SELECT code, provider, client_id, CAST(sum(count) AS bigint) FROM outcome_counts
            WHERE hour >= $1 AND code <> '' GROUP BY code, provider, client_id
            ORDER BY 4 DESC, code, provider, client_id LIMIT $2
            """, .time(moment), .limit(limit)
        ) { row throws(StoreError) in
            CauseSum(
                code: try row.text(), provider: try row.text(), clientID: try row.text(), count: try row.integer())
        }
    }

    /// Removes counts of `moment` or before, the oldest first.
    ///
    /// - Returns: How many went; less than `limit` when there are no more.
    package func removeOutcomeCounts(until moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_aged_outcome_counts",
            """
            DELETE FROM outcome_counts WHERE (hour, code, provider, client_id, holder) IN (
                SELECT hour, code, provider, client_id, holder FROM outcome_counts WHERE hour <= $1
                ORDER BY hour LIMIT $2)
            """, .time(moment), .limit(limit))
    }
}
