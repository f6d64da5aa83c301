extension Migration {
    /// Clients that are the operator's own apps.
    static let firstPartyClients = Migration(
        version: 41, name: "first-party clients",
        statements: ["ALTER TABLE clients ADD COLUMN first_party bigint NOT NULL DEFAULT 0"])
}
