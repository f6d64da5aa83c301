extension Migration {
    /// The time of the last use of sessions, and an index of a user's sessions that are not revoked, newest last.
    static let sessionUse = Migration(
        version: 17, name: "session use",
        statements: [
            "ALTER TABLE sessions ADD COLUMN last_used_at bigint",
            "CREATE INDEX sessions_user_key_unrevoked ON sessions (user_key, key) WHERE revoked_at IS NULL",
        ])
}
