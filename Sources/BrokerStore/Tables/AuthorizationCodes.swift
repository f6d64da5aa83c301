extension AuthorizationCode {
    /// Stands for a request without PKCE. Brokers that knew none take it for a challenge no verifier matches.
    package static let noChallenge = ""
}

extension Transaction {
    /// Consumes a code, whatever comes of it.
    ///
    /// - Returns: the code; nil if there is none, it has expired, or it was consumed before.
    package func consumeAuthorizationCode(
        hash: [UInt8], at now: Timestamp
    ) throws(StoreError) -> AuthorizationCode? {
        try consume(AuthorizationCode.self, hash: hash, at: now)
    }

    /// The code with this hash if it was consumed before.
    package func consumedAuthorizationCode(hash: [UInt8]) throws(StoreError) -> AuthorizationCode? {
        try first(
            "consumed_authorization_code",
            """
            SELECT \(AuthorizationCode.columns) FROM authorization_codes
            WHERE code_hash = $1 AND consumed_at IS NOT NULL
            """, .blob(hash))
    }
}
