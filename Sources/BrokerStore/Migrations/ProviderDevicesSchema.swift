extension Migration {
    /// Devices that sign in at a provider through the broker.
    static let providerDevices = Migration(
        version: 30, name: "provider devices",
        statements: [
            """
            CREATE TABLE provider_devices (
                key bigint PRIMARY KEY,
                provider broker_text NOT NULL,
                device_hash bytea NOT NULL,
                secret_hash bytea,
                sealed_secret bytea,
                identity_key bigint REFERENCES identities (key) ON DELETE CASCADE,
                claim broker_text,
                claimed_until bigint,
                created_at bigint NOT NULL,
                used_at bigint,
                UNIQUE (provider, device_hash)
            )
            """,
            "CREATE INDEX provider_devices_identity_key ON provider_devices (identity_key)",
        ])
}
