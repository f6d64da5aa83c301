extension Migration {
    /// Rotations of the master key, the keys that are sealed under it, and the brokers that have it.
    static let vaultKeys = Migration(
        version: 24, name: "vault keys", statements: [masterKeysTable, wrappedKeysTable, keyHoldersTable])

    private static let masterKeysTable = """
        CREATE TABLE master_keys (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            check_value bytea NOT NULL,
            began_at bigint,
            ended_at bigint,
            rewrapped_at bigint,
            compromised_at bigint
        )
        """

    private static let wrappedKeysTable = """
        CREATE TABLE wrapped_keys (
            key bigint PRIMARY KEY,
            purpose broker_text NOT NULL,
            generation bigint NOT NULL,
            id broker_text NOT NULL,
            sealed_key bytea NOT NULL,
            created_at bigint NOT NULL,
            activates_at bigint NOT NULL,
            UNIQUE (purpose, generation)
        )
        """

    private static let keyHoldersTable = """
        CREATE TABLE key_holders (
            holder broker_text PRIMARY KEY,
            key_ids broker_text NOT NULL,
            sealing broker_text NOT NULL,
            seen_at bigint NOT NULL
        )
        """
}
