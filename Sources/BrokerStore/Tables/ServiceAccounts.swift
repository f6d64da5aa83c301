extension Transaction {
    /// Adds `account`.
    ///
    /// - Returns: Whether it was added; false if its id, name or e-mail address is taken.
    package func insert(_ account: StoredServiceAccount) throws(StoreError) -> Bool {
        try insertUnlessTaken(account)
    }

    /// The account with this id, whatever its state.
    package func serviceAccount(id: String) throws(StoreError) -> StoredServiceAccount? {
        try first(
            "service_account", "SELECT \(StoredServiceAccount.columns) FROM service_accounts WHERE id = $1", .text(id))
    }

    /// The account with this e-mail address, whatever its state.
    package func serviceAccount(email: String) throws(StoreError) -> StoredServiceAccount? {
        try first(
            "service_account_by_email",
            "SELECT \(StoredServiceAccount.columns) FROM service_accounts WHERE email = $1", .text(email))
    }

    /// All accounts, the oldest first.
    package func serviceAccounts() throws(StoreError) -> [StoredServiceAccount] {
        try all("service_accounts", "SELECT \(StoredServiceAccount.columns) FROM service_accounts ORDER BY key")
    }

    /// Revokes an account.
    ///
    /// - Returns: The account; nil if there is none with this id, or it was revoked before.
    package func revokeServiceAccount(id: String, at now: Timestamp) throws(StoreError) -> StoredServiceAccount? {
        try first(
            "revoke_service_account",
            """
            UPDATE service_accounts SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
            RETURNING \(StoredServiceAccount.columns)
            """, .text(id), .time(now))
    }

    /// Records the use of an account, unless one after `earlier` is recorded.
    package func noteUse(
        ofServiceAccount key: Int64, at now: Timestamp, since earlier: Timestamp
    ) throws(StoreError) {
        try run(
            "use_service_account",
            """
            UPDATE service_accounts SET last_used_at = $2 WHERE key = $1 AND coalesce(last_used_at, $3) <= $3
            """, .integer(key), .time(now), .time(earlier))
    }

    /// The keys of an account, the oldest first, the expired ones too.
    package func keys(ofServiceAccount key: Int64) throws(StoreError) -> [StoredServiceAccountKey] {
        try all(
            "service_account_keys",
            """
            SELECT \(StoredServiceAccountKey.columns) FROM service_account_keys WHERE account_key = $1 ORDER BY key
            """, .integer(key))
    }

    /// Has the keys of an account expire at `moment`, unless they expire earlier.
    package func expireKeys(ofServiceAccount key: Int64, at moment: Timestamp) throws(StoreError) {
        try run(
            "expire_service_account_keys",
            """
            UPDATE service_account_keys SET expires_at = $2
            WHERE account_key = $1 AND coalesce(expires_at, $2 + 1) > $2
            """, .integer(key), .time(moment))
    }

    /// Removes the keys of an account that have expired.
    package func removeExpiredKeys(ofServiceAccount key: Int64, at now: Timestamp) throws(StoreError) {
        try run(
            "remove_expired_service_account_keys",
            "DELETE FROM service_account_keys WHERE account_key = $1 AND expires_at <= $2",
            .integer(key), .time(now))
    }
}
