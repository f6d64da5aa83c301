/// The statements of `authorization_codes`.
enum AuthorizationCodeStatements {
    static let insert = Statement(
        "insert_authorization_code",
        """
        INSERT INTO authorization_codes (\(AuthorizationCode.columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """,
        .integer, .blob, .text, .text, .text, .text, .text, .integer, .integer, .text, .integer, .text, .text, .text,
        .integer, .integer)

    static let consume = Statement(
        "consume_authorization_code",
        """
        UPDATE authorization_codes SET consumed_at = $2
        WHERE code_hash = $1 AND consumed_at IS NULL AND expires_at > $2 RETURNING \(AuthorizationCode.columns)
        """, .blob, .integer)

    static let consumed = Statement(
        "consumed_authorization_code",
        """
        SELECT \(AuthorizationCode.columns) FROM authorization_codes WHERE code_hash = $1 AND consumed_at IS NOT NULL
        """, .blob)

    static let removeExpired = Statement(
        "remove_expired_authorization_codes",
        """
        DELETE FROM authorization_codes WHERE key IN (
            SELECT key FROM authorization_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING key
        """, .integer, .integer)

    static let all = [insert, consume, consumed, removeExpired]
}

extension Transaction {
    /// Remembers a code, in the transaction that decided that the client gets it.
    package func insert(_ code: AuthorizationCode) throws(StoreError) {
        try run(AuthorizationCodeStatements.insert, values: code.values)
    }

    /// Consumes a code, whatever comes of it.
    ///
    /// - Returns: the code; nil if there is none, it has expired, or it was consumed before.
    package func consumeAuthorizationCode(
        hash: [UInt8], at now: Timestamp
    ) throws(StoreError) -> AuthorizationCode? {
        guard var row = try run(AuthorizationCodeStatements.consume, .blob(hash), .time(now)).first else { return nil }
        return try AuthorizationCode(reading: &row)
    }

    /// The code with this hash if it was consumed before.
    package func consumedAuthorizationCode(hash: [UInt8]) throws(StoreError) -> AuthorizationCode? {
        guard var row = try run(AuthorizationCodeStatements.consumed, .blob(hash)).first else { return nil }
        return try AuthorizationCode(reading: &row)
    }

    /// Forgets codes that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeAuthorizationCodes(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(AuthorizationCodeStatements.removeExpired, .time(moment), .limit(limit)).count
    }
}
