extension Transaction {
    /// The master keys of the store's history, oldest first; empty before the first rotation.
    package func masterKeys() throws(StoreError) -> [MasterKeyRow] {
        try all("master_keys", "SELECT \(MasterKeyRow.columns) FROM master_keys ORDER BY key")
    }

    /// Adds a master key, or writes the times of the one with this id.
    package func put(_ key: MasterKeyRow) throws(StoreError) {
        try run(
            "put_master_key",
            """
            INSERT INTO master_keys (\(MasterKeyRow.columnNames)) VALUES (\(MasterKeyRow.parameters))
            ON CONFLICT (id) DO UPDATE SET began_at = excluded.began_at, ended_at = excluded.ended_at,
                rewrapped_at = excluded.rewrapped_at, compromised_at = excluded.compromised_at
            """,
            .integer(key.key), .text(key.id), .blob(key.checkValue), .time(orNull: key.beganAt),
            .time(orNull: key.endedAt), .time(orNull: key.rewrappedAt), .time(orNull: key.compromisedAt))
    }
}
