extension Migration {
    /// The session that a pending token is bound to, and the time of the provider's verification. Rows of older brokers
    /// have neither: they are unbound, and their verification is as old as the row.
    static let pendingTokenBinding = Migration(
        version: 19, name: "pending token binding",
        statements: [
            "ALTER TABLE pending_tokens ADD COLUMN auth_time bigint",
            "ALTER TABLE pending_tokens ADD COLUMN user_key bigint",
            "ALTER TABLE pending_tokens ADD COLUMN epoch bigint",
            "ALTER TABLE pending_tokens ADD COLUMN identity_key bigint",
            "ALTER TABLE pending_tokens ADD COLUMN session_id broker_text",
        ])
}
