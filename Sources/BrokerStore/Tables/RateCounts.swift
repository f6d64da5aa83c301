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

extension Transaction {
    /// Stores a broker's count of a key, in place of its earlier one of the same window.
    package func put(_ count: RateCount, of holder: String, expiresAt: Timestamp) throws(StoreError) {
        try run(
            "put_rate_count",
            """
            INSERT INTO rate_counts (name, key_hash, window_start, holder, count, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (name, key_hash, window_start, holder) DO UPDATE SET count = excluded.count
            """, .text(count.name), .blob(count.keyHash), .time(count.windowStart), .text(holder),
            .integer(count.count), .time(expiresAt))
    }

    /// The counts of all other brokers, added up for each key and window, the largest first.
    package func rateCounts(
        ofOthersThan holder: String, at now: Timestamp, limit: Int
    ) throws(StoreError) -> [RateCount] {
        try rows(
            "rate_counts_of_others",
            """
            SELECT name, key_hash, window_start, CAST(sum(count) AS bigint) FROM rate_counts
            WHERE holder <> $1 AND expires_at > $2 GROUP BY name, key_hash, window_start
            ORDER BY 4 DESC LIMIT $3
            """, .text(holder), .time(now), .limit(limit)
        ) { row throws(StoreError) in
            RateCount(
                name: try row.text(), keyHash: try row.blob(), windowStart: try row.time(), count: try row.integer())
        }
    }

    /// Whether any broker has counted something for a limit lately.
    package func hasRateCount(named name: String, at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "rate_count_exists", "SELECT name FROM rate_counts WHERE name = $1 AND expires_at > $2 LIMIT 1",
            .text(name), .time(now)) > 0
    }

    /// Removes the counts of windows that have passed.
    package func removeRateCounts(expiredBy now: Timestamp) throws(StoreError) {
        try run("remove_rate_counts", "DELETE FROM rate_counts WHERE expires_at <= $1", .time(now))
    }
}
