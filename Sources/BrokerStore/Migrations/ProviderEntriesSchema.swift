extension Migration {
    /// The provider entries that administrators made over the API or at the command line, beside those of `plugins.json`.
    static let providerEntries = Migration(
        version: 32, name: "provider entries", statements: [providerEntriesTable])

    private static let providerEntriesTable = """
        CREATE TABLE provider_entries (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            sealed_entry bytea NOT NULL,
            version bigint NOT NULL,
            created_at bigint NOT NULL,
            changed_at bigint NOT NULL
        )
        """
}
