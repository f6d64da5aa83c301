extension Migration {
    /// Fewer indexes to write with each sign-in. Used ID tokens are clustered by their hash. A decision is found by its
    /// user through the audit entry that was written with it; only the others have an index of their own. Sessions whose
    /// addresses are to go are found by the walk that looks for those that have ended.
    static let signInIndexes = Migration(
        version: 45, name: "sign-in indexes",
        statements: [
            usedIDTokensByHash,
            """
            INSERT INTO used_id_tokens_by_hash (key, token_hash, local_id, used_at, expires_at)
            SELECT key, token_hash, local_id, used_at, expires_at FROM used_id_tokens
            """,
            "DROP TABLE used_id_tokens",
            "ALTER TABLE used_id_tokens_by_hash RENAME TO used_id_tokens",
            "CREATE INDEX used_id_tokens_expires_at ON used_id_tokens (expires_at)",
            "ALTER TABLE decisions ADD COLUMN audited bigint NOT NULL DEFAULT 0",
            """
            CREATE INDEX decisions_of_user ON decisions (local_id, key) WHERE audited = 0 AND local_id IS NOT NULL
            """,
            "DROP INDEX decisions_local_id",
            "DROP INDEX sessions_with_address",
        ])

    // The key stays for older brokers, which write it and remove rows by it.
    private static let usedIDTokensByHash = """
        CREATE TABLE used_id_tokens_by_hash (
            key bigint NOT NULL,
            token_hash bytea PRIMARY KEY,
            local_id broker_text NOT NULL,
            used_at bigint NOT NULL,
            expires_at bigint NOT NULL
        )
        """
}
