extension Migration {
    /// Device authorizations (RFC 8628) of clients and terminals.
    static let deviceAuthorizations = Migration(
        version: 15, name: "device authorizations",
        statements: [deviceAuthorizationsTable, deviceAuthorizationsByExpiry])

    private static let deviceAuthorizationsTable = """
        CREATE TABLE device_authorizations (
            key bigint PRIMARY KEY,
            device_code_hash bytea NOT NULL UNIQUE,
            user_code_hash bytea NOT NULL UNIQUE,
            purpose broker_text NOT NULL,
            party broker_text NOT NULL,
            scope broker_text NOT NULL,
            sealed_request bytea,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            poll_interval bigint NOT NULL,
            last_polled_at bigint,
            polled_early bigint NOT NULL,
            decision broker_text,
            user_key bigint,
            epoch bigint,
            provider broker_text,
            auth_time bigint,
            amr broker_text,
            parent_id broker_text,
            sealed_outcome bytea,
            consumed_at bigint
        )
        """

    private static let deviceAuthorizationsByExpiry =
        "CREATE INDEX device_authorizations_expires_at ON device_authorizations (expires_at)"
}
