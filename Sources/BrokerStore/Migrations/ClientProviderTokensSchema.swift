extension Migration {
    /// Clients that get the provider's tokens with their own.
    static let clientProviderTokens = Migration(
        version: 29, name: "client provider tokens",
        statements: ["ALTER TABLE clients ADD COLUMN provider_tokens bigint NOT NULL DEFAULT 0"])
}
