extension Migration {
    /// Finds the user behind an address that only a linked identity has.
    static let identitiesByEmail = Migration(
        version: 3, name: "identities by email",
        statements: ["CREATE INDEX identities_email ON identities (email) WHERE email IS NOT NULL"])
}
