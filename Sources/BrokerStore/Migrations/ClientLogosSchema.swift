extension Migration {
    /// What the hosted pages show of a client: its logo, and the pages of its own that they link to.
    static let clientLogos = Migration(
        version: 43, name: "client logos",
        statements: [
            "ALTER TABLE clients ADD COLUMN home_url broker_text",
            "ALTER TABLE clients ADD COLUMN terms_url broker_text",
            "ALTER TABLE clients ADD COLUMN privacy_url broker_text",
            "ALTER TABLE clients ADD COLUMN support_url broker_text",
            "ALTER TABLE clients ADD COLUMN logo broker_text",
            "ALTER TABLE clients ADD COLUMN logo_dark broker_text",
            """
            CREATE TABLE client_logos (
                client_key bigint NOT NULL REFERENCES clients (key) ON DELETE CASCADE,
                name broker_text NOT NULL,
                content bytea NOT NULL,
                PRIMARY KEY (client_key, name)
            )
            """,
        ])
}
