extension UsedIDToken {
    /// Inserts ``values``, unless there is a use of the token.
    static let firstUse = Statement(
        "insert_used_id_token",
        """
        INSERT INTO used_id_tokens (\(UsedIDToken.columnNames)) VALUES (\(UsedIDToken.parameters))
        ON CONFLICT (token_hash) DO NOTHING
        """, parameters: RecordStatements(UsedIDToken.table).insertion.parameters)
}

extension Transaction {
    /// Records a token's use.
    ///
    /// - Returns: The use that was recorded before; nil if this is the first.
    package func recordUse(of token: UsedIDToken) throws(StoreError) -> UsedIDToken? {
        guard try run(UsedIDToken.firstUse, values: token.values) == 0 else { return nil }
        return try use(ofToken: token.tokenHash)
    }

    /// The recorded use of a token.
    package func use(ofToken hash: [UInt8]) throws(StoreError) -> UsedIDToken? {
        try first(
            "used_id_token", "SELECT \(UsedIDToken.columns) FROM used_id_tokens WHERE token_hash = $1", .blob(hash))
    }

    /// Forgets the uses of tokens that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeUsedIDTokens(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_expired_used_id_tokens",
            """
            DELETE FROM used_id_tokens WHERE token_hash IN (
                SELECT token_hash FROM used_id_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
            """, .time(moment), .limit(limit))
    }
}
