/// A posted authorization response, stored until the browser requests it with its cookie.
package struct PostedResponse: Sendable, Hashable {
    /// SHA-256 of the `state` it belongs to.
    package let stateHash: [UInt8]
    package let provider: String
    package let sealedResponse: [UInt8]

    package init(stateHash: [UInt8], provider: String, sealedResponse: [UInt8]) {
        self.stateHash = stateHash
        self.provider = provider
        self.sealedResponse = sealedResponse
    }
}

extension Transaction {
    /// The attempt with this state, unless it was finished or has expired.
    package func signInAttempt(stateHash: [UInt8], at now: Timestamp) throws(StoreError) -> SignInAttemptRow? {
        try usable(SignInAttemptRow.self, hash: stateHash, at: now)
    }

    /// The attempts of a flow that can still be finished, of requesters whose names begin with an ASCII letter, the earliest
    /// first.
    package func signInAttempts(
        for purpose: String, ofRequesters letter: String, at now: Timestamp, limit: Int
    ) throws(StoreError) -> [SignInAttemptRow] {
        try all(
            "open_sign_in_attempts",
            """
            SELECT \(SignInAttemptRow.columns) FROM sign_in_attempts
            WHERE requester >= $1 AND requester < $2 AND purpose = $3 AND consumed_at IS NULL AND expires_at > $4
            ORDER BY key LIMIT $5
            """, .text(letter), .text(letter + "~"), .text(purpose), .time(now), .limit(limit))
    }

    /// Consumes an attempt, whatever comes of it.
    ///
    /// - Returns: false if it was consumed or has expired.
    package func consumeSignInAttempt(stateHash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try consume(SignInAttemptRow.self, hash: stateHash, at: now) != nil
    }

    /// Keeps what a provider posted, in place of what it posted before.
    ///
    /// - Returns: false if there is no such attempt at this provider that could still be finished.
    package func keep(_ response: PostedResponse, handleHash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "keep_sign_in_response",
            """
            UPDATE sign_in_attempts SET handle_hash = $3, sealed_response = $4
            WHERE state_hash = $1 AND provider = $5 AND consumed_at IS NULL AND expires_at > $2
            """, .blob(response.stateHash), .time(now), .blob(handleHash), .blob(response.sealedResponse),
            .text(response.provider)) > 0
    }

    /// The posted response of a handle, as long as its attempt can be finished.
    package func postedResponse(handleHash: [UInt8], at now: Timestamp) throws(StoreError) -> PostedResponse? {
        try value(
            "sign_in_response",
            """
            SELECT state_hash, provider, sealed_response FROM sign_in_attempts
            WHERE handle_hash = $1 AND sealed_response IS NOT NULL AND consumed_at IS NULL AND expires_at > $2
            """, .blob(handleHash), .time(now)
        ) { row throws(StoreError) in
            PostedResponse(
                stateHash: try row.blob(), provider: try row.text(), sealedResponse: try row.blob())
        }
    }
}
