extension Migration {
    /// The authentication context class (`acr`, OpenID Connect Core §2) of logins that a client requested by it.
    static let authenticationContext = Migration(
        version: 22, name: "authentication context",
        statements: [
            "ALTER TABLE authorization_codes ADD COLUMN acr broker_text",
            "ALTER TABLE sessions ADD COLUMN acr broker_text",
        ])
}
