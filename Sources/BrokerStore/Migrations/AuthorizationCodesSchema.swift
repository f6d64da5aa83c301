extension Migration {
    /// Codes that OAuth clients exchange for tokens.
    static let authorizationCodes = Migration(
        version: 14, name: "authorization codes", statements: [authorizationCodesTable, authorizationCodesByExpiry])

    private static let authorizationCodesTable = """
        CREATE TABLE authorization_codes (
            key bigint PRIMARY KEY,
            code_hash bytea NOT NULL UNIQUE,
            client_id broker_text NOT NULL,
            redirect_uri broker_text NOT NULL,
            code_challenge broker_text NOT NULL,
            scope broker_text NOT NULL,
            nonce broker_text,
            user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            epoch bigint NOT NULL,
            provider broker_text NOT NULL,
            auth_time bigint NOT NULL,
            amr broker_text NOT NULL,
            session_id broker_text NOT NULL,
            parent_id broker_text,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            consumed_at bigint
        )
        """

    private static let authorizationCodesByExpiry =
        "CREATE INDEX authorization_codes_expires_at ON authorization_codes (expires_at)"
}
