extension Migration {
    /// Service accounts with the public halves of their keys. An account is never deleted: its name is not given again.
    static let serviceAccounts = Migration(
        version: 36, name: "service accounts",
        statements: [
            """
            CREATE TABLE service_accounts (
                key bigint PRIMARY KEY,
                id broker_text NOT NULL UNIQUE,
                name broker_text NOT NULL UNIQUE,
                email broker_text NOT NULL UNIQUE,
                scopes broker_text NOT NULL,
                created_at bigint NOT NULL,
                revoked_at bigint,
                last_used_at bigint
            )
            """,
            """
            CREATE TABLE service_account_keys (
                key bigint PRIMARY KEY,
                account_key bigint NOT NULL REFERENCES service_accounts (key) ON DELETE CASCADE,
                id broker_text NOT NULL UNIQUE,
                public_jwk broker_text NOT NULL,
                created_at bigint NOT NULL,
                expires_at bigint
            )
            """,
            "CREATE INDEX service_account_keys_account ON service_account_keys (account_key)",
        ])
}
