extension Migration {
    /// The versions of the running brokers, and the names of their computers. Brokers of earlier schemas write neither.
    static let brokerVersions = Migration(
        version: 49, name: "broker versions",
        statements: [
            "ALTER TABLE key_holders ADD COLUMN version broker_text",
            "ALTER TABLE key_holders ADD COLUMN host broker_text",
        ])
}
