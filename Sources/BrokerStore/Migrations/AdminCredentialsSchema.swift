extension Migration {
    /// The credentials of backends and administrators at the HTTP API.
    static let adminCredentials = Migration(
        version: 28, name: "admin credentials", statements: [adminCredentialsTable])

    private static let adminCredentialsTable = """
        CREATE TABLE admin_credentials (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            name broker_text NOT NULL,
            token_hash bytea NOT NULL UNIQUE,
            scopes broker_text NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint,
            revoked_at bigint,
            last_used_at bigint
        )
        """
}
