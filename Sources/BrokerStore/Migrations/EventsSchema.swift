extension Migration {
    /// Events for apps: webhooks, the clients' back-channel logout URIs, and the deliveries to both.
    static let events = Migration(
        version: 35, name: "events",
        statements: [
            webhooksTable, deliveriesTable, deliveriesByAttempt, deliveriesByUser, deliveriesByEnd, sequencesTable,
            sequencesByEnd,
            "ALTER TABLE clients ADD COLUMN backchannel_logout_uri broker_text",
            "ALTER TABLE clients ADD COLUMN backchannel_logout_session_required bigint NOT NULL DEFAULT 0",
        ])

    private static let webhooksTable = """
        CREATE TABLE webhooks (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            url broker_text NOT NULL,
            events broker_text NOT NULL,
            sealed_secret bytea NOT NULL,
            sealed_previous_secret bytea,
            previous_secret_until bigint,
            created_at bigint NOT NULL,
            disabled_at bigint,
            disabled_reason broker_text,
            CHECK ((sealed_previous_secret IS NULL) = (previous_secret_until IS NULL)),
            CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
        )
        """

    // No references: a delivery outlives the user, the webhook and the client.
    private static let deliveriesTable = """
        CREATE TABLE event_deliveries (
            key bigint PRIMARY KEY,
            event_id broker_text NOT NULL,
            target_kind broker_text NOT NULL CHECK (target_kind IN ('webhook', 'client')),
            target_id broker_text NOT NULL,
            type broker_text NOT NULL,
            local_id broker_text NOT NULL,
            sequence bigint NOT NULL,
            occurred_at bigint NOT NULL,
            data broker_text NOT NULL,
            state broker_text NOT NULL CHECK (state IN ('queued', 'delivered', 'dead', 'dropped')),
            reason broker_text,
            attempts bigint NOT NULL,
            queued_at bigint NOT NULL,
            next_attempt_at bigint,
            lease_holder broker_text,
            lease_until bigint,
            ended_at bigint,
            UNIQUE (event_id, target_id),
            CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
            CHECK ((state = 'queued') = (ended_at IS NULL)),
            CHECK ((lease_holder IS NULL) = (lease_until IS NULL))
        )
        """

    private static let deliveriesByAttempt = """
        CREATE INDEX event_deliveries_next_attempt_at ON event_deliveries (target_id, next_attempt_at)
        WHERE ended_at IS NULL
        """

    private static let deliveriesByUser = """
        CREATE INDEX event_deliveries_open_of_user ON event_deliveries (target_id, local_id, sequence)
        WHERE ended_at IS NULL
        """

    private static let deliveriesByEnd = "CREATE INDEX event_deliveries_ended_at ON event_deliveries (state, ended_at)"

    // Outlives the user, so that an id never has a number twice.
    private static let sequencesTable = """
        CREATE TABLE event_sequences (
            local_id broker_text PRIMARY KEY,
            last bigint NOT NULL,
            ended_at bigint
        )
        """

    private static let sequencesByEnd =
        "CREATE INDEX event_sequences_ended_at ON event_sequences (ended_at) WHERE ended_at IS NOT NULL"
}
