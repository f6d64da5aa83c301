extension Migration {
    /// Proven credentials that wait for the person to prove the account they belong to.
    static let pendingTokens = Migration(
        version: 2, name: "pending tokens", statements: [pendingTokensTable, pendingTokensByExpiry])

    private static let pendingTokensTable = """
        CREATE TABLE pending_tokens (
            key bigint PRIMARY KEY,
            token_hash bytea NOT NULL UNIQUE,
            sealed_evidence bytea NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            consumed_at bigint
        )
        """

    private static let pendingTokensByExpiry = "CREATE INDEX pending_tokens_expires_at ON pending_tokens (expires_at)"
}
