extension Migration {
    /// Grants that are to be revoked at their providers after they left the users' rows.
    static let withdrawals = Migration(
        version: 23, name: "withdrawals", statements: [withdrawalsTable, withdrawalsByAttempt, withdrawalsByEnd])

    // No reference to a user or an identity: the row outlives both.
    private static let withdrawalsTable = """
        CREATE TABLE withdrawals (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            provider broker_text NOT NULL,
            issuer broker_text NOT NULL,
            subject_hash broker_text NOT NULL,
            client_id broker_text NOT NULL,
            token_hint broker_text NOT NULL CHECK (token_hint IN ('access_token', 'refresh_token')),
            cause broker_text NOT NULL,
            state broker_text NOT NULL CHECK (state IN ('queued', 'parked', 'dead', 'done', 'dropped')),
            reason broker_text,
            sealed_grant bytea,
            attempts bigint NOT NULL,
            created_at bigint NOT NULL,
            queued_at bigint NOT NULL,
            next_attempt_at bigint,
            lease_holder broker_text,
            lease_until bigint,
            ended_at bigint,
            CHECK ((state IN ('queued', 'parked')) = (next_attempt_at IS NOT NULL)),
            CHECK ((state IN ('queued', 'parked')) = (ended_at IS NULL)),
            CHECK ((state IN ('done', 'dropped')) = (sealed_grant IS NULL)),
            CHECK ((lease_holder IS NULL) = (lease_until IS NULL))
        )
        """

    private static let withdrawalsByAttempt =
        "CREATE INDEX withdrawals_next_attempt_at ON withdrawals (next_attempt_at)"

    private static let withdrawalsByEnd = "CREATE INDEX withdrawals_ended_at ON withdrawals (ended_at)"
}
