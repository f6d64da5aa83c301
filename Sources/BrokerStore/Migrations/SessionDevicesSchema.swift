extension Migration {
    /// The client devices of sessions, so that users recognise their sessions.
    static let sessionDevices = Migration(
        version: 20, name: "session devices",
        statements: [
            "ALTER TABLE sessions ADD COLUMN user_agent broker_text",
            "ALTER TABLE sessions ADD COLUMN address broker_text",
            "CREATE INDEX sessions_with_address ON sessions (created_at) WHERE address IS NOT NULL",
        ])
}
