extension Migration {
    /// Finds users for administrators, by the address they had first and by the subject of an identity.
    static let userLookup = Migration(
        version: 37, name: "user lookup",
        statements: [
            "CREATE INDEX users_initial_email ON users (initial_email) WHERE initial_email IS NOT NULL",
            "CREATE INDEX identities_subject ON identities (provider, subject)",
        ])
}
