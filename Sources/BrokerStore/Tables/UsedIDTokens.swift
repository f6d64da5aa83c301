/// A consumed ID token, which is single-use.
package struct UsedIDToken: Sendable, Hashable {
    package var key: Int64
    /// SHA-256 of what the issuer signed; the signature itself may have several spellings.
    package var tokenHash: [UInt8]
    /// The user who signed in with it.
    package var localID: String
    package var usedAt: Timestamp
    /// The time from which on its verification fails.
    package var expiresAt: Timestamp

    package init(key: Int64, tokenHash: [UInt8], localID: String, usedAt: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.tokenHash = tokenHash
        self.localID = localID
        self.usedAt = usedAt
        self.expiresAt = expiresAt
    }
}

/// The statements of `used_id_tokens`.
enum UsedIDTokenStatements {
    static let insert = Statement(
        "insert_used_id_token",
        """
        INSERT INTO used_id_tokens (key, token_hash, local_id, used_at, expires_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (token_hash) DO NOTHING RETURNING key
        """, .integer, .blob, .text, .integer, .integer)

    static let byHash = Statement(
        "used_id_token",
        "SELECT key, token_hash, local_id, used_at, expires_at FROM used_id_tokens WHERE token_hash = $1",
        .blob)

    static let removeExpired = Statement(
        "remove_expired_used_id_tokens",
        """
        DELETE FROM used_id_tokens WHERE key IN (
            SELECT key FROM used_id_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING key
        """, .integer, .integer)

    static let all = [insert, byHash, removeExpired]
}

extension Transaction {
    /// Records a token's use.
    ///
    /// - Returns: The use that was recorded before; nil if this is the first.
    package func recordUse(of token: UsedIDToken) throws(StoreError) -> UsedIDToken? {
        let inserted = try run(
            UsedIDTokenStatements.insert, .integer(token.key), .blob(token.tokenHash), .text(token.localID),
            .time(token.usedAt), .time(token.expiresAt))
        guard inserted.isEmpty else { return nil }
        guard var row = try run(UsedIDTokenStatements.byHash, .blob(token.tokenHash)).first else { return nil }
        return UsedIDToken(
            key: try row.integer(), tokenHash: try row.blob(), localID: try row.text(), usedAt: try row.time(),
            expiresAt: try row.time())
    }

    /// Forgets the uses of tokens that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeUsedIDTokens(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(UsedIDTokenStatements.removeExpired, .time(moment), .limit(limit)).count
    }
}
