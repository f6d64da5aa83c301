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

    /// Looks through the next `limit` uses after `hash`, in the order of the tokens' hashes, for tokens that expired at
    /// `moment` or before; nil when there are none.
    package func usedIDTokenStretch(
        after hash: [UInt8], expiredBy moment: Timestamp, limit: Int
    ) throws(StoreError) -> Stretch<[UInt8]>? {
        let tokens = try rows(
            "used_id_token_stretch",
            """
            SELECT token_hash, CASE WHEN expires_at <= $2 THEN 1 ELSE 0 END FROM used_id_tokens
            WHERE token_hash > $1 ORDER BY token_hash LIMIT $3
            """, .blob(hash), .time(moment), .limit(limit)
        ) { row throws(StoreError) in (key: try row.blob(), isDue: try row.flag()) }
        return Stretch(tokens, limit: limit)
    }

    /// Forgets the uses in a stretch of tokens that expired at `moment` or before.
    ///
    /// - Returns: how many went.
    package func removeUsedIDTokens(
        after hash: [UInt8], upTo end: [UInt8], expiredBy moment: Timestamp
    ) throws(StoreError) -> Int {
        try run(
            "remove_expired_used_id_tokens",
            "DELETE FROM used_id_tokens WHERE token_hash > $1 AND token_hash <= $2 AND expires_at <= $3",
            .blob(hash), .blob(end), .time(moment))
    }
}
