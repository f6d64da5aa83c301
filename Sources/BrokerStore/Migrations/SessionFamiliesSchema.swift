extension Migration {
    /// Sessions of the hosted pages and of OAuth clients beside those of Identity Toolkit.
    static let sessionFamilies = Migration(
        version: 11, name: "session families",
        statements: [
            "ALTER TABLE sessions ADD COLUMN family broker_text",
            "ALTER TABLE sessions ADD COLUMN client_id broker_text",
            "ALTER TABLE sessions ADD COLUMN scope broker_text",
            "ALTER TABLE sessions ADD COLUMN amr broker_text",
            "ALTER TABLE sessions ADD COLUMN parent_id broker_text",
            "CREATE INDEX sessions_parent_id ON sessions (parent_id)",
        ])
}
