extension Migration {
    /// Events that providers report: those already applied, the position in each feed, and their effects on identities.
    static let providerEvents = Migration(
        version: 26, name: "provider events",
        statements: [
            providerEventsTable, providerEventsByExpiry, providerFeedsTable, refusedSignatureKeysTable,
            "ALTER TABLE identities ADD COLUMN mail_disabled bigint NOT NULL DEFAULT 0 CHECK (mail_disabled IN (0, 1))",
            "ALTER TABLE identities ADD COLUMN mail_changed_at bigint",
            "ALTER TABLE identities ADD COLUMN consent_revoked_at bigint",
            "ALTER TABLE identities ADD COLUMN removal_at bigint",
            "CREATE INDEX identities_removal_at ON identities (removal_at) WHERE removal_at IS NOT NULL",
        ])

    private static let providerEventsTable = """
        CREATE TABLE provider_events (
            key bigint PRIMARY KEY,
            provider broker_text NOT NULL,
            event_hash bytea NOT NULL,
            received_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            UNIQUE (provider, event_hash)
        )
        """

    private static let providerEventsByExpiry =
        "CREATE INDEX provider_events_expires_at ON provider_events (expires_at)"

    private static let providerFeedsTable = """
        CREATE TABLE provider_feeds (
            provider broker_text PRIMARY KEY,
            cursor broker_text NOT NULL,
            polled_at bigint NOT NULL
        )
        """

    private static let refusedSignatureKeysTable = """
        CREATE TABLE refused_signature_keys (
            provider broker_text NOT NULL,
            key_id broker_text NOT NULL,
            refused_at bigint NOT NULL,
            PRIMARY KEY (provider, key_id)
        )
        """
}
