extension Migration {
    /// The clients of the broker as OpenID Provider.
    static let clients = Migration(version: 13, name: "clients", statements: [clientsTable, sessionsByClient])

    private static let clientsTable = """
        CREATE TABLE clients (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            type broker_text NOT NULL CHECK (type IN ('public', 'confidential', 'native')),
            name broker_text NOT NULL,
            redirect_uris broker_text NOT NULL,
            post_logout_redirect_uris broker_text NOT NULL,
            id_token_algorithm broker_text NOT NULL CHECK (id_token_algorithm IN ('ES256', 'RS256')),
            secret_hash bytea,
            previous_secret_hash bytea,
            previous_secret_until bigint,
            created_at bigint NOT NULL,
            CHECK ((type = 'confidential') = (secret_hash IS NOT NULL)),
            CHECK ((previous_secret_hash IS NULL) = (previous_secret_until IS NULL))
        )
        """

    // Few sessions have one, and those of a client that goes must end at once.
    private static let sessionsByClient = "CREATE INDEX sessions_client_id ON sessions (client_id)"
}
