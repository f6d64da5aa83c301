extension Migration {
    /// Further subjects of identities, merges that wait for an administrator, and the anonymous flag of identities.
    static let mergedIdentities = Migration(
        version: 7, name: "merged identities",
        statements: [anonymousIdentities, identityAliases, aliasesByIdentity, pendingMerges, pendingMergesByAbsorbed])

    private static let anonymousIdentities = """
        ALTER TABLE identities ADD COLUMN anonymous bigint NOT NULL DEFAULT 0 CHECK (anonymous IN (0, 1))
        """

    private static let identityAliases = """
        CREATE TABLE identity_aliases (
            provider broker_text NOT NULL,
            issuer broker_text NOT NULL,
            subject broker_text NOT NULL CHECK (subject <> ''),
            identity_key bigint NOT NULL REFERENCES identities (key) ON DELETE CASCADE,
            created_at bigint NOT NULL,
            PRIMARY KEY (provider, issuer, subject)
        )
        """

    private static let aliasesByIdentity = """
        CREATE INDEX identity_aliases_identity_key ON identity_aliases (identity_key)
        """

    private static let pendingMerges = """
        CREATE TABLE pending_merges (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            survivor_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            absorbed_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            provider broker_text NOT NULL,
            created_at bigint NOT NULL,
            dismissed_at bigint,
            UNIQUE (survivor_key, absorbed_key),
            CHECK (survivor_key <> absorbed_key)
        )
        """

    private static let pendingMergesByAbsorbed = """
        CREATE INDEX pending_merges_absorbed_key ON pending_merges (absorbed_key)
        """
}
