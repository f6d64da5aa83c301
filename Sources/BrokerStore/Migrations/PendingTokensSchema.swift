extension Migration {
    /// Verified credentials that wait for the user's sign-in to their account.
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
