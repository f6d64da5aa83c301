extension Migration {
    /// What a merge needs to reach every device: the sessions that wait for their client to accept it, and
    /// the sessions that have been told of it. And the identities that no provider has reported first.
    static let mergedDevices = Migration(
        version: 42, name: "merged devices",
        statements: [
            "ALTER TABLE sessions ADD COLUMN merged_from broker_text",
            "ALTER TABLE identities ADD COLUMN imported_at bigint",
            noticeDeliveries, "CREATE INDEX notice_deliveries_notice_key ON notice_deliveries (notice_key)",
        ])

    private static let noticeDeliveries = """
        CREATE TABLE notice_deliveries (
            session_key bigint NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
            notice_key bigint NOT NULL REFERENCES account_notices (key) ON DELETE CASCADE,
            generation bigint NOT NULL,
            delivered_at bigint NOT NULL,
            PRIMARY KEY (session_key, notice_key)
        )
        """
}
