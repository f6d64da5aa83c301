/// A credential of a backend or an administrator at the HTTP API.
package struct AdminCredential: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    /// The public id, for lists and the audit.
    package var id: String
    package var name: String
    /// SHA-256 of the token.
    package var tokenHash: [UInt8]
    /// The granted scopes, separated by spaces.
    package var scopes: String
    package var createdAt: Timestamp
    /// `nil`: it is valid until it is revoked.
    package var expiresAt: Timestamp?
    package var revokedAt: Timestamp?
    /// The last use, to the minute.
    package var lastUsedAt: Timestamp?

    package init(
        key: Int64, id: String, name: String, tokenHash: [UInt8], scopes: String, createdAt: Timestamp,
        expiresAt: Timestamp? = nil
    ) {
        self.key = key
        self.id = id
        self.name = name
        self.tokenHash = tokenHash
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The statements of `admin_credentials`.
enum AdminCredentialStatements {
    static let columns = "key, id, name, token_hash, scopes, created_at, expires_at, revoked_at, last_used_at"

    static let insert = Statement(
        "insert_admin_credential",
        """
        INSERT INTO admin_credentials (key, id, name, token_hash, scopes, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """, .integer, .text, .text, .blob, .text, .integer, .integer)

    static let byHash = Statement(
        "admin_credential", "SELECT \(columns) FROM admin_credentials WHERE token_hash = $1", .blob)

    static let everyCredential = Statement("admin_credentials", "SELECT \(columns) FROM admin_credentials ORDER BY key")

    static let revoke = Statement(
        "revoke_admin_credential",
        "UPDATE admin_credentials SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING \(columns)",
        .text, .integer)

    static let use = Statement(
        "use_admin_credential",
        """
        UPDATE admin_credentials SET last_used_at = $2 WHERE key = $1 AND coalesce(last_used_at, $3) <= $3 RETURNING key
        """, .integer, .integer, .integer)

    static let all = [insert, byHash, everyCredential, revoke, use]
}

extension Transaction {
    /// Adds `credential`, which is neither used nor revoked.
    package func insert(_ credential: AdminCredential) throws(StoreError) {
        try run(
            AdminCredentialStatements.insert, .integer(credential.key), .text(credential.id), .text(credential.name),
            .blob(credential.tokenHash), .text(credential.scopes), .time(credential.createdAt),
            .time(orNull: credential.expiresAt))
    }

    /// The credential whose token has this hash, whatever its state.
    package func adminCredential(tokenHash: [UInt8]) throws(StoreError) -> AdminCredential? {
        try run(AdminCredentialStatements.byHash, .blob(tokenHash)).first.map { row throws(StoreError) in
            try AdminCredential(reading: row)
        }
    }

    /// All credentials, the oldest first.
    package func adminCredentials() throws(StoreError) -> [AdminCredential] {
        try run(AdminCredentialStatements.everyCredential).map { row throws(StoreError) in
            try AdminCredential(reading: row)
        }
    }

    /// Revokes a credential.
    ///
    /// - Returns: the credential; nil if there is none with this id, or it was revoked before.
    package func revokeAdminCredential(id: String, at now: Timestamp) throws(StoreError) -> AdminCredential? {
        try run(AdminCredentialStatements.revoke, .text(id), .time(now)).first.map { row throws(StoreError) in
            try AdminCredential(reading: row)
        }
    }

    /// Records the use of a credential, unless one after `earlier` is recorded.
    package func noteUse(
        ofAdminCredential key: Int64, at now: Timestamp, since earlier: Timestamp
    ) throws(StoreError) {
        try run(AdminCredentialStatements.use, .integer(key), .time(now), .time(earlier))
    }
}

extension AdminCredential {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), id: row.text(), name: row.text(), tokenHash: row.blob(), scopes: row.text(),
            createdAt: row.time(), expiresAt: row.optionalTime())
        revokedAt = try row.optionalTime()
        lastUsedAt = try row.optionalTime()
    }
}
