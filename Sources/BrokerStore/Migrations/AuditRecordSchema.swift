extension Migration {
    /// Marks stores that are in use, so that the next broker seals the record of their audit's chain, and finds deleted
    /// users for the list of erasures.
    static let auditRecord = Migration(
        version: 39, name: "audit record",
        statements: [
            // An empty value: PostgreSQL and SQLite have no common literal for one.
            """
            INSERT INTO settings (name, value)
            SELECT 'audit-chain', substr(value, 1, 0) FROM settings WHERE name = 'master-key-check'
            """,
            "CREATE INDEX audit_erasures ON audit (key) WHERE event = 'user.deleted'",
        ])
}
