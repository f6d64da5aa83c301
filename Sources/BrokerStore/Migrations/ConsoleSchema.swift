extension Migration {
    /// The administrators of the console and their sessions.
    static let console = Migration(
        version: 48, name: "console",
        statements: [
            """
            CREATE TABLE console_administrators (
                key bigint PRIMARY KEY,
                id broker_text NOT NULL UNIQUE,
                provider broker_text NOT NULL,
                issuer broker_text NOT NULL,
                subject broker_text NOT NULL,
                name broker_text NOT NULL,
                role broker_text,
                email broker_text,
                created_at bigint NOT NULL,
                last_sign_in_at bigint,
                UNIQUE (provider, issuer, subject),
                UNIQUE (provider, email)
            )
            """,
            """
            CREATE TABLE console_sessions (
                key bigint PRIMARY KEY,
                administrator_key bigint NOT NULL REFERENCES console_administrators (key) ON DELETE CASCADE,
                token_hash bytea NOT NULL UNIQUE,
                parties_hash bytea NOT NULL,
                auth_time bigint NOT NULL,
                created_at bigint NOT NULL,
                last_used_at bigint NOT NULL,
                user_agent broker_text,
                address broker_text
            )
            """,
            "CREATE INDEX console_sessions_administrator ON console_sessions (administrator_key)",
        ])
}
