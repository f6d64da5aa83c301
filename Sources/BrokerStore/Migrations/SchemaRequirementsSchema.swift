extension Migration {
    /// With each migration, how much of the history a broker has to know to work on what it makes.
    ///
    /// Brokers from before refuse every schema that is newer than theirs.
    static let schemaRequirements = Migration(
        version: 8, name: "schema requirements",
        statements: ["ALTER TABLE schema_migrations ADD COLUMN oldest_broker bigint"], keepsOlderBrokers: false)
}
