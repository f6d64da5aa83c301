/// Counts of one outcome in an hour, of all brokers.
package struct OutcomeSum: Sendable, Hashable {
    /// Its beginning.
    package let hour: Timestamp
    /// The stable code of the cause; empty for sign-ins.
    package let code: String
    /// The provider entry; empty where none takes part.
    package let provider: String
    /// The OAuth client; empty where none is known.
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
        let found: [RecordedRefusal] = try all(
            "refusal_of_request",
            "SELECT \(RecordedRefusal.columns) FROM refusals WHERE request_id = $1 ORDER BY key DESC LIMIT 1",
            .text(requestID))
        return found.first
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

    /// The counts of all brokers since a moment.
    package func outcomeSums(since moment: Timestamp) throws(StoreError) -> [OutcomeSum] {
        try rows(
            "outcome_sums",
            """
            SELECT hour, code, provider, client_id, CAST(sum(count) AS bigint) FROM outcome_counts WHERE hour >= $1
            GROUP BY hour, code, provider, client_id ORDER BY hour, code, provider, client_id
            """, .time(moment)
        ) { row throws(StoreError) in
            OutcomeSum(
                hour: try row.time(), code: try row.text(), provider: try row.text(), clientID: try row.text(),
                count: try row.integer())
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
                ORDER BY hour LIMIT $2) RETURNING hour
            """, .time(moment), .limit(limit))
    }
}
