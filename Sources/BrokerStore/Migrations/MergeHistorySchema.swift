extension Migration {
    /// The rows that merges leave: aliases of absorbed users, notices for apps, snapshots for an undo, and the origins of
    /// sessions.
    static let mergeHistory = Migration(
        version: 25, name: "merge history",
        statements: [
            "ALTER TABLE sessions ADD COLUMN identity_key bigint",
            "ALTER TABLE sessions ADD COLUMN merged_at bigint",
            "ALTER TABLE identities ADD COLUMN was_anonymous bigint NOT NULL DEFAULT 0",
            "ALTER TABLE pending_merges ADD COLUMN proven_identity_key bigint",
            userAliases, "CREATE INDEX user_aliases_user_key ON user_aliases (user_key)",
            accountNotices, "CREATE INDEX account_notices_user_key ON account_notices (user_key)",
            mergeSnapshots, "CREATE INDEX merge_snapshots_survivor_key ON merge_snapshots (survivor_key)",
        ])

    private static let userAliases = """
        CREATE TABLE user_aliases (
            local_id broker_text PRIMARY KEY,
            user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            created_at bigint NOT NULL
        )
        """

    private static let accountNotices = """
        CREATE TABLE account_notices (
            key bigint PRIMARY KEY,
            user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            kind broker_text NOT NULL,
            value broker_text,
            created_at bigint NOT NULL,
            session_id broker_text,
            generation bigint,
            delivered_at bigint
        )
        """

    private static let mergeSnapshots = """
        CREATE TABLE merge_snapshots (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            survivor_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            absorbed_local_id broker_text NOT NULL,
            provider broker_text NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            sealed_users bytea NOT NULL
        )
        """
}
