extension Migration {
    /// The counts of rate limits that brokers share.
    static let rateCounts = Migration(
        version: 34, name: "rate counts", statements: [rateCountsTable, rateCountsByExpiry])

    private static let rateCountsTable = """
        CREATE TABLE rate_counts (
            name broker_text NOT NULL,
            key_hash bytea NOT NULL,
            window_start bigint NOT NULL,
            holder broker_text NOT NULL,
            count bigint NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (name, key_hash, window_start, holder)
        )
        """

    private static let rateCountsByExpiry = "CREATE INDEX rate_counts_expires_at ON rate_counts (expires_at)"
}
