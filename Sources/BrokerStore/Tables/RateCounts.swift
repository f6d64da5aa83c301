/// The count of one key in one window of a rate limit.
package struct RateCount: Sendable, Hashable {
    /// The limit's name.
    package let name: String
    /// A keyed hash: the keys are addresses and ids of users.
    package let keyHash: [UInt8]
    package let windowStart: Timestamp
    package let count: Int64

    package init(name: String, keyHash: [UInt8], windowStart: Timestamp, count: Int64) {
        self.name = name
        self.keyHash = keyHash
        self.windowStart = windowStart
        self.count = count
    }
}

/// The statements of `rate_counts`.
enum RateCountStatements {
    static let put = Statement(
        "put_rate_count",
        """
        INSERT INTO rate_counts (name, key_hash, window_start, holder, count, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (name, key_hash, window_start, holder) DO UPDATE SET count = excluded.count
        """, .text, .blob, .integer, .text, .integer, .integer)

    static let ofOthers = Statement(
        "rate_counts_of_others",
        """
        SELECT name, key_hash, window_start, CAST(sum(count) AS bigint) FROM rate_counts
        WHERE holder <> $1 AND expires_at > $2 GROUP BY name, key_hash, window_start
        ORDER BY 4 DESC LIMIT $3
        """, .text, .integer, .integer)

    static let exists = Statement(
        "rate_count_exists", "SELECT name FROM rate_counts WHERE name = $1 AND expires_at > $2 LIMIT 1", .text, .integer
    )

    static let removeExpired = Statement(
        "remove_rate_counts", "DELETE FROM rate_counts WHERE expires_at <= $1", .integer)

    static let all = [put, ofOthers, exists, removeExpired]
}

extension Transaction {
    /// Stores a broker's count of a key, in place of its earlier one of the same window.
    package func put(_ count: RateCount, of holder: String, expiresAt: Timestamp) throws(StoreError) {
        try run(
            RateCountStatements.put, .text(count.name), .blob(count.keyHash), .time(count.windowStart), .text(holder),
            .integer(count.count), .time(expiresAt))
    }

    /// The counts of all other brokers, added up for each key and window, the largest first.
    package func rateCounts(
        ofOthersThan holder: String, at now: Timestamp, limit: Int
    ) throws(StoreError) -> [RateCount] {
        try run(RateCountStatements.ofOthers, .text(holder), .time(now), .limit(limit)).map { row throws(StoreError) in
            var row = row
            return RateCount(
                name: try row.text(), keyHash: try row.blob(), windowStart: try row.time(), count: try row.integer())
        }
    }

    /// Whether any broker has counted something for a limit lately.
    package func hasRateCount(named name: String, at now: Timestamp) throws(StoreError) -> Bool {
        try !run(RateCountStatements.exists, .text(name), .time(now)).isEmpty
    }

    /// Removes the counts of windows that have passed.
    package func removeRateCounts(expiredBy now: Timestamp) throws(StoreError) {
        try run(RateCountStatements.removeExpired, .time(now))
    }
}
