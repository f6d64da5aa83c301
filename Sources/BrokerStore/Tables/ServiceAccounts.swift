/// A service account: an identity of a backend with scopes, which authenticates with keys of its own.
package struct StoredServiceAccount: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    /// The public id, for lists and the audit.
    package var id: String
    package var name: String
    /// Issuer and subject of what the account signs.
    package var email: String
    /// The granted scopes, separated by spaces.
    package var scopes: String
    package var createdAt: Timestamp
    package var revokedAt: Timestamp?
    /// The last use of an access token, to the minute.
    package var lastUsedAt: Timestamp?

    package init(key: Int64, id: String, name: String, email: String, scopes: String, createdAt: Timestamp) {
        self.key = key
        self.id = id
        self.name = name
        self.email = email
        self.scopes = scopes
        self.createdAt = createdAt
    }
}

/// The public half of a service account's key; the private half is not stored.
package struct StoredServiceAccountKey: Sendable, Hashable {
    package var key: Int64
    package var accountKey: Int64
    /// The `kid` of what the key signs.
    package var id: String
    /// The public key as a JWK.
    package var publicJWK: String
    package var createdAt: Timestamp
    /// `nil` until a later key replaces it.
    package var expiresAt: Timestamp?

    package init(
        key: Int64, accountKey: Int64, id: String, publicJWK: String, createdAt: Timestamp,
        expiresAt: Timestamp? = nil
    ) {
        self.key = key
        self.accountKey = accountKey
        self.id = id
        self.publicJWK = publicJWK
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The statements of `service_accounts` and `service_account_keys`.
enum ServiceAccountStatements {
    private static let columns = "key, id, name, email, scopes, created_at, revoked_at, last_used_at"
    private static let keyColumns = "key, account_key, id, public_jwk, created_at, expires_at"

    static let insert = Statement(
        "insert_service_account",
        """
        INSERT INTO service_accounts (key, id, name, email, scopes, created_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING RETURNING key
        """, .integer, .text, .text, .text, .text, .integer)

    static let byID = Statement("service_account", "SELECT \(columns) FROM service_accounts WHERE id = $1", .text)

    static let byEmail = Statement(
        "service_account_by_email", "SELECT \(columns) FROM service_accounts WHERE email = $1", .text)

    static let everyAccount = Statement("service_accounts", "SELECT \(columns) FROM service_accounts ORDER BY key")

    static let revoke = Statement(
        "revoke_service_account",
        "UPDATE service_accounts SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING \(columns)",
        .text, .integer)

    static let use = Statement(
        "use_service_account",
        """
        UPDATE service_accounts SET last_used_at = $2 WHERE key = $1 AND coalesce(last_used_at, $3) <= $3 RETURNING key
        """, .integer, .integer, .integer)

    static let insertKey = Statement(
        "insert_service_account_key",
        "INSERT INTO service_account_keys (\(keyColumns)) VALUES ($1, $2, $3, $4, $5, $6)",
        .integer, .integer, .text, .text, .integer, .integer)

    static let keys = Statement(
        "service_account_keys", "SELECT \(keyColumns) FROM service_account_keys WHERE account_key = $1 ORDER BY key",
        .integer)

    static let expireKeys = Statement(
        "expire_service_account_keys",
        """
        UPDATE service_account_keys SET expires_at = $2
        WHERE account_key = $1 AND coalesce(expires_at, $2 + 1) > $2 RETURNING key
        """, .integer, .integer)

    static let removeExpiredKeys = Statement(
        "remove_expired_service_account_keys",
        "DELETE FROM service_account_keys WHERE account_key = $1 AND expires_at <= $2 RETURNING key",
        .integer, .integer)

    static let all = [insert, byID, byEmail, everyAccount, revoke, use, insertKey, keys, expireKeys, removeExpiredKeys]
}

extension Transaction {
    /// Adds `account`, which is neither used nor revoked.
    ///
    /// - Returns: Whether it was added; false if its id, name or e-mail address is taken.
    package func insert(_ account: StoredServiceAccount) throws(StoreError) -> Bool {
        try !run(
            ServiceAccountStatements.insert, .integer(account.key), .text(account.id), .text(account.name),
            .text(account.email), .text(account.scopes), .time(account.createdAt)
        ).isEmpty
    }

    /// The account with this id, whatever its state.
    package func serviceAccount(id: String) throws(StoreError) -> StoredServiceAccount? {
        try run(ServiceAccountStatements.byID, .text(id)).first.map { row throws(StoreError) in
            try StoredServiceAccount(reading: row)
        }
    }

    /// The account with this e-mail address, whatever its state.
    package func serviceAccount(email: String) throws(StoreError) -> StoredServiceAccount? {
        try run(ServiceAccountStatements.byEmail, .text(email)).first.map { row throws(StoreError) in
            try StoredServiceAccount(reading: row)
        }
    }

    /// All accounts, the oldest first.
    package func serviceAccounts() throws(StoreError) -> [StoredServiceAccount] {
        try run(ServiceAccountStatements.everyAccount).map { row throws(StoreError) in
            try StoredServiceAccount(reading: row)
        }
    }

    /// Revokes an account.
    ///
    /// - Returns: The account; nil if there is none with this id, or it was revoked before.
    package func revokeServiceAccount(id: String, at now: Timestamp) throws(StoreError) -> StoredServiceAccount? {
        try run(ServiceAccountStatements.revoke, .text(id), .time(now)).first.map { row throws(StoreError) in
            try StoredServiceAccount(reading: row)
        }
    }

    /// Records the use of an account, unless one after `earlier` is recorded.
    package func noteUse(
        ofServiceAccount key: Int64, at now: Timestamp, since earlier: Timestamp
    ) throws(StoreError) {
        try run(ServiceAccountStatements.use, .integer(key), .time(now), .time(earlier))
    }

    package func insert(_ key: StoredServiceAccountKey) throws(StoreError) {
        try run(
            ServiceAccountStatements.insertKey, .integer(key.key), .integer(key.accountKey), .text(key.id),
            .text(key.publicJWK), .time(key.createdAt), .time(orNull: key.expiresAt))
    }

    /// The keys of an account, the oldest first, the expired ones too.
    package func keys(ofServiceAccount key: Int64) throws(StoreError) -> [StoredServiceAccountKey] {
        try run(ServiceAccountStatements.keys, .integer(key)).map { row throws(StoreError) in
            try StoredServiceAccountKey(reading: row)
        }
    }

    /// Has the keys of an account expire at `moment`, unless they expire earlier.
    package func expireKeys(ofServiceAccount key: Int64, at moment: Timestamp) throws(StoreError) {
        try run(ServiceAccountStatements.expireKeys, .integer(key), .time(moment))
    }

    /// Removes the keys of an account that have expired.
    package func removeExpiredKeys(ofServiceAccount key: Int64, at now: Timestamp) throws(StoreError) {
        try run(ServiceAccountStatements.removeExpiredKeys, .integer(key), .time(now))
    }
}

extension StoredServiceAccount {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), id: row.text(), name: row.text(), email: row.text(), scopes: row.text(),
            createdAt: row.time())
        revokedAt = try row.optionalTime()
        lastUsedAt = try row.optionalTime()
    }
}

extension StoredServiceAccountKey {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), accountKey: row.integer(), id: row.text(), publicJWK: row.text(),
            createdAt: row.time(), expiresAt: row.optionalTime())
    }
}
