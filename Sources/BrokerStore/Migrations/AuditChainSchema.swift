extension Migration {
    /// The hash chain of the audit, and what its entries say of the request.
    static let auditChain = Migration(
        version: 33, name: "audit chain",
        statements: [
            "ALTER TABLE audit ADD COLUMN address broker_text",
            "ALTER TABLE audit ADD COLUMN reason broker_text",
            "ALTER TABLE audit ADD COLUMN sequence bigint",
            "ALTER TABLE audit ADD COLUMN seal_key broker_text",
            "ALTER TABLE audit ADD COLUMN seal bytea",
            "CREATE INDEX audit_unsealed ON audit (key) WHERE sequence IS NULL",
            "CREATE INDEX audit_sequence ON audit (sequence, key) WHERE sequence IS NOT NULL",
            auditAnchorsTable,
        ])

    private static let auditAnchorsTable = """
        CREATE TABLE audit_anchors (
            name broker_text PRIMARY KEY CHECK (name IN ('start', 'head')),
            sequence bigint NOT NULL,
            seal bytea NOT NULL,
            at bigint NOT NULL,
            key_id broker_text NOT NULL,
            signature bytea NOT NULL
        )
        """
}
