extension Migration {
    /// What a pending token stands and falls with, and the time of the provider's proof. Rows of older brokers have
    /// neither: they are bound to nothing, and their proof is as old as they are.
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
