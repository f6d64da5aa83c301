extension Migration {
    /// Consumed ID tokens: each is single-use.
    static let usedIDTokens = Migration(
        version: 5, name: "used ID tokens", statements: [usedIDTokensTable, usedIDTokensByExpiry])

    private static let usedIDTokensTable = """
        CREATE TABLE used_id_tokens (
            key bigint PRIMARY KEY,
            token_hash bytea NOT NULL UNIQUE,
            local_id broker_text NOT NULL,
            used_at bigint NOT NULL,
            expires_at bigint NOT NULL
        )
        """

    private static let usedIDTokensByExpiry = "CREATE INDEX used_id_tokens_expires_at ON used_id_tokens (expires_at)"
}
