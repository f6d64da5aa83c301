/// The statements of `authorization_codes`.
enum AuthorizationCodeStatements {
    static let insert = Statement(
        "insert_authorization_code",
        """
        INSERT INTO authorization_codes (\(AuthorizationCode.columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """,
        .integer, .blob, .text, .text, .text, .text, .text, .integer, .integer, .text, .integer, .text, .text, .text,
        .integer, .integer, .text)

    static let consumed = Statement(
        "consumed_authorization_code",
        """
        SELECT \(AuthorizationCode.columns) FROM authorization_codes WHERE code_hash = $1 AND consumed_at IS NOT NULL
        """, .blob)

    static let all = [insert, consumed]
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
        guard var row = try consume(.authorizationCodes, hash: hash, at: now) else { return nil }
        return try AuthorizationCode(reading: &row)
    }

    /// The code with this hash if it was consumed before.
    package func consumedAuthorizationCode(hash: [UInt8]) throws(StoreError) -> AuthorizationCode? {
        guard var row = try run(AuthorizationCodeStatements.consumed, .blob(hash)).first else { return nil }
        return try AuthorizationCode(reading: &row)
    }
}
