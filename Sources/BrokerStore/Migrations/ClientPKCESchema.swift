extension Migration {
    /// Confidential clients that may do without PKCE (RFC 7636).
    static let clientPKCE = Migration(
        version: 16, name: "client pkce", statements: ["ALTER TABLE clients ADD COLUMN pkce broker_text"])
}
