extension Transaction {
    /// The credential whose token has this hash, whatever its state.
    package func adminCredential(tokenHash: [UInt8]) throws(StoreError) -> AdminCredential? {
        try first(
            "admin_credential", "SELECT \(AdminCredential.columns) FROM admin_credentials WHERE token_hash = $1",
            .blob(tokenHash))
    }

    /// All credentials, the oldest first.
    package func adminCredentials() throws(StoreError) -> [AdminCredential] {
        try all("admin_credentials", "SELECT \(AdminCredential.columns) FROM admin_credentials ORDER BY key")
    }

    /// Revokes a credential.
    ///
    /// - Returns: the credential; nil if there is none with this id, or it was revoked before.
    package func revokeAdminCredential(id: String, at now: Timestamp) throws(StoreError) -> AdminCredential? {
        try first(
            "revoke_admin_credential",
            """
            UPDATE admin_credentials SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
            RETURNING \(AdminCredential.columns)
            """, .text(id), .time(now))
    }

    /// Records the use of a credential, unless one after `earlier` is recorded.
    package func noteUse(
        ofAdminCredential key: Int64, at now: Timestamp, since earlier: Timestamp
    ) throws(StoreError) {
        try run(
            "use_admin_credential",
            """
            UPDATE admin_credentials SET last_used_at = $2 WHERE key = $1 AND coalesce(last_used_at, $3) <= $3
            """, .integer(key), .time(now), .time(earlier))
    }
}
