extension Migration {
    /// Trips of browsers to providers that have not come back yet.
    static let signInAttempts = Migration(
        version: 12, name: "sign-in attempts",
        statements: [signInAttemptsTable, signInAttemptsByExpiry, signInAttemptsByHandle])

    private static let signInAttemptsTable = """
        CREATE TABLE sign_in_attempts (
            key bigint PRIMARY KEY,
            state_hash bytea NOT NULL UNIQUE,
            purpose broker_text NOT NULL,
            provider broker_text NOT NULL,
            binding_hash bytea NOT NULL,
            sealed_request bytea NOT NULL,
            handle_hash bytea,
            sealed_response bytea,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            consumed_at bigint
        )
        """

    private static let signInAttemptsByHandle =
        "CREATE INDEX sign_in_attempts_handle_hash ON sign_in_attempts (handle_hash)"

    private static let signInAttemptsByExpiry =
        "CREATE INDEX sign_in_attempts_expires_at ON sign_in_attempts (expires_at)"
}
