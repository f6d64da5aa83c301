/// An authorization request to a provider. The store contains only hashes and sealed bytes, so a copy of it cannot
/// finish a sign-in.
package struct SignInAttemptRow: Sendable, Hashable {
    package var key: Int64
    /// SHA-256 of the `state` the provider sends back.
    package var stateHash: [UInt8]
    /// The flow's name.
    package var purpose: String
    /// The provider the browser was sent to, which is the only one that may answer.
    package var provider: String
    /// SHA-256 of the secret that finishes it: a cookie's value, or an app's session id.
    package var bindingHash: [UInt8]
    /// The verifier, the nonce and what is to happen afterwards.
    package var sealedRequest: [UInt8]
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// The requester whose limit it counts against.
    package var requester: String

    package init(
        key: Int64, stateHash: [UInt8], purpose: String, provider: String, bindingHash: [UInt8],
        sealedRequest: [UInt8], createdAt: Timestamp, expiresAt: Timestamp, requester: String = ""
    ) {
        self.key = key
        self.stateHash = stateHash
        self.purpose = purpose
        self.provider = provider
        self.bindingHash = bindingHash
        self.sealedRequest = sealedRequest
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.requester = requester
    }
}

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

/// The statements of `sign_in_attempts`.
enum SignInAttemptStatements {
    static let columns =
        "key, state_hash, purpose, provider, binding_hash, sealed_request, created_at, expires_at, requester"

    static let insert = Statement(
        "insert_sign_in_attempt",
        "INSERT INTO sign_in_attempts (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        .integer, .blob, .text, .text, .blob, .blob, .integer, .integer, .text)

    static let keepResponse = Statement(
        "keep_sign_in_response",
        """
        UPDATE sign_in_attempts SET handle_hash = $3, sealed_response = $4
        WHERE state_hash = $1 AND provider = $5 AND consumed_at IS NULL AND expires_at > $2 RETURNING key
        """, .blob, .integer, .blob, .blob, .text)

    static let response = Statement(
        "sign_in_response",
        """
        SELECT state_hash, provider, sealed_response FROM sign_in_attempts
        WHERE handle_hash = $1 AND sealed_response IS NOT NULL AND consumed_at IS NULL AND expires_at > $2
        """, .blob, .integer)

    static let all = [insert, keepResponse, response]
}

extension Transaction {
    /// Remembers that a browser is sent away.
    package func insert(_ attempt: SignInAttemptRow) throws(StoreError) {
        try run(
            SignInAttemptStatements.insert, .integer(attempt.key), .blob(attempt.stateHash), .text(attempt.purpose),
            .text(attempt.provider), .blob(attempt.bindingHash), .blob(attempt.sealedRequest),
            .time(attempt.createdAt), .time(attempt.expiresAt), .text(attempt.requester))
    }

    /// The attempt with this state, unless it was finished or has expired.
    package func signInAttempt(stateHash: [UInt8], at now: Timestamp) throws(StoreError) -> SignInAttemptRow? {
        guard var row = try usable(.signInAttempts, hash: stateHash, at: now) else { return nil }
        return SignInAttemptRow(
            key: try row.integer(), stateHash: try row.blob(), purpose: try row.text(), provider: try row.text(),
            bindingHash: try row.blob(), sealedRequest: try row.blob(), createdAt: try row.time(),
            expiresAt: try row.time(), requester: try row.text())
    }

    /// Consumes an attempt, whatever comes of it.
    ///
    /// - Returns: false if it was consumed or has expired.
    package func consumeSignInAttempt(stateHash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try consume(.signInAttempts, hash: stateHash, at: now) != nil
    }

    /// Keeps what a provider posted, in place of what it posted before.
    ///
    /// - Returns: false if there is no such attempt at this provider that could still be finished.
    package func keep(_ response: PostedResponse, handleHash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        let kept = try run(
            SignInAttemptStatements.keepResponse, .blob(response.stateHash), .time(now), .blob(handleHash),
            .blob(response.sealedResponse), .text(response.provider))
        return !kept.isEmpty
    }

    /// The posted response of a handle, as long as its attempt can be finished.
    package func postedResponse(handleHash: [UInt8], at now: Timestamp) throws(StoreError) -> PostedResponse? {
        guard var row = try run(SignInAttemptStatements.response, .blob(handleHash), .time(now)).first else {
            return nil
        }
        return PostedResponse(
            stateHash: try row.blob(), provider: try row.text(), sealedResponse: try row.blob())
    }
}
