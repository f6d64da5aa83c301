extension Migration {
    /// The state of provider grants: refused by the provider, last probed, being refreshed by one process.
    ///
    /// A refusal and an attempt name the version they concern, so a broker that only replaces grants clears both.
    static let grantState = Migration(
        version: 21, name: "grant state",
        statements: [
            "ALTER TABLE provider_grants ADD COLUMN refused_at bigint",
            "ALTER TABLE provider_grants ADD COLUMN refused_version bigint",
            "ALTER TABLE provider_grants ADD COLUMN refused_reason broker_text",
            "ALTER TABLE provider_grants ADD COLUMN probed_at bigint",
            "ALTER TABLE provider_grants ADD COLUMN lease_holder broker_text",
            "ALTER TABLE provider_grants ADD COLUMN lease_until bigint",
            "ALTER TABLE provider_grants ADD COLUMN attempted_version bigint",
        ])
}
