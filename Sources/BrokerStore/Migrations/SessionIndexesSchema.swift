extension Migration {
    /// Fewer indexes to write with each sign-in: none of them over columns that most sessions have no value in, and one
    /// by user in the place of two. It says which sessions were revoked, so that the live ones are counted in it alone.
    static let sessionIndexes = Migration(
        version: 40, name: "session indexes",
        statements: [
            "CREATE INDEX sessions_of_user ON sessions (user_key, revoked_at, key)",
            "CREATE INDEX sessions_of_client ON sessions (client_id) WHERE client_id IS NOT NULL",
            "CREATE INDEX sessions_of_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL",
            "DROP INDEX sessions_user_key",
            "DROP INDEX sessions_user_key_unrevoked",
            "DROP INDEX sessions_client_id",
            "DROP INDEX sessions_parent_id",
        ])
}
