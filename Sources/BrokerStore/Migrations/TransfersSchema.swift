extension Migration {
    /// The state of this store in a move, a copy or a restore.
    static let transfers = Migration(version: 10, name: "transfers", statements: [transfersTable])

    private static let transfersTable = """
        CREATE TABLE transfers (
            role broker_text PRIMARY KEY CHECK (role IN ('outgoing', 'incoming')),
            id broker_text NOT NULL,
            phase broker_text NOT NULL CHECK (phase IN (
                'copying', 'following', 'switching', 'moved', 'complete', 'withdrawing', 'restoring')),
            other broker_text NOT NULL,
            table_name broker_text,
            row_key broker_text,
            revision bigint NOT NULL,
            changed_at bigint NOT NULL
        )
        """
}
