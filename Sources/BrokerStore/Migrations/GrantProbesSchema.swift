extension Migration {
    /// The results of probes of provider grants, and the entries whose probes are paused.
    ///
    /// A result names the version it concerns, so a broker that only replaces grants clears it.
    static let grantProbes = Migration(
        version: 31, name: "grant probes",
        statements: [
            "ALTER TABLE provider_grants ADD COLUMN probed_version bigint",
            "ALTER TABLE provider_grants ADD COLUMN probe_result broker_text",
            """
            CREATE INDEX provider_grants_confirmed_at ON provider_grants
                (provider, (CASE WHEN probed_at > obtained_at THEN probed_at ELSE obtained_at END))
            """,
            """
            CREATE INDEX provider_grants_refused_probe ON provider_grants (provider, probed_at)
                WHERE probe_result = 'refused'
            """,
            """
            CREATE TABLE probe_pauses (
                provider broker_text PRIMARY KEY,
                paused_at bigint NOT NULL,
                probes bigint NOT NULL,
                failures bigint NOT NULL
            )
            """,
        ])
}
