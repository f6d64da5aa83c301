extension Migration {
    /// How the accounts of each provider entry became subjects of identities, and what counts now.
    static let subjectMappings = Migration(version: 38, name: "subject mappings", statements: [subjectMappingsTable])

    private static let subjectMappingsTable = """
        CREATE TABLE subject_mappings (
            provider broker_text NOT NULL,
            version bigint NOT NULL,
            instance broker_text NOT NULL,
            subject_rule broker_text NOT NULL,
            issuer broker_text NOT NULL,
            in_force bigint NOT NULL CHECK (in_force IN (0, 1)),
            created_at bigint NOT NULL,
            PRIMARY KEY (provider, version),
            UNIQUE (provider, issuer)
        )
        """
}
