/// Verified evidence for one later use. The store contains the token's hash and the sealed evidence, so a copy of it
/// contains nothing usable.
package struct PendingToken: Sendable, Hashable {
    /// The session, user and identity that a token is bound to.
    package struct Binding: Sendable, Hashable {
        /// The only user it is valid for.
        package var userKey: Int64
        /// The user's epoch at that time.
        package var epoch: Int64
        /// The verified identity.
        package var identityKey: Int64
        /// The session the token came with.
        package var sessionID: String

        package init(userKey: Int64, epoch: Int64, identityKey: Int64, sessionID: String) {
            self.userKey = userKey
            self.epoch = epoch
            self.identityKey = identityKey
            self.sessionID = sessionID
        }
    }

    package var key: Int64
    /// SHA-256 of the token.
    package var tokenHash: [UInt8]
    package var sealedEvidence: [UInt8]
    /// The time of the provider's verification.
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// The time of the user's authentication at the provider, in whole seconds since 1970.
    package var authTime: Int64
    /// `nil` where no session was issued with the token.
    package var binding: Binding?

    package init(
        key: Int64, tokenHash: [UInt8], sealedEvidence: [UInt8], createdAt: Timestamp, expiresAt: Timestamp,
        authTime: Int64? = nil, binding: Binding? = nil
    ) {
        self.key = key
        self.tokenHash = tokenHash
        self.sealedEvidence = sealedEvidence
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.authTime = authTime ?? createdAt.seconds
        self.binding = binding
    }
}

/// The statements of `pending_tokens`.
enum PendingTokenStatements {
    static let columns = """
        key, token_hash, sealed_evidence, created_at, expires_at, auth_time, user_key, epoch, identity_key, session_id
        """

    static let insert = Statement(
        "insert_pending_token",
        """
        INSERT INTO pending_tokens (\(columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """, .integer, .blob, .blob, .integer, .integer, .integer, .integer, .integer, .integer, .text)

    static let all = [insert]
}

extension Transaction {
    /// Keeps evidence for one more use.
    package func insert(_ token: PendingToken) throws(StoreError) {
        try run(
            PendingTokenStatements.insert, .integer(token.key), .blob(token.tokenHash), .blob(token.sealedEvidence),
            .time(token.createdAt), .time(token.expiresAt), .integer(token.authTime),
            .integer(orNull: token.binding?.userKey), .integer(orNull: token.binding?.epoch),
            .integer(orNull: token.binding?.identityKey), .text(orNull: token.binding?.sessionID))
    }

    /// The pending token with this hash, unless it was used or has expired.
    package func pendingToken(hash: [UInt8], at now: Timestamp) throws(StoreError) -> PendingToken? {
        guard var row = try usable(.pendingTokens, hash: hash, at: now) else { return nil }
        return PendingToken(
            key: try row.integer(), tokenHash: try row.blob(), sealedEvidence: try row.blob(),
            createdAt: try row.time(), expiresAt: try row.time(), authTime: try row.optionalInteger(),
            binding: try PendingToken.Binding(&row))
    }

    /// Consumes a pending token.
    ///
    /// - Returns: false if it was consumed before or has expired.
    package func consumePendingToken(hash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try consume(.pendingTokens, hash: hash, at: now) != nil
    }
}

extension PendingToken.Binding {
    /// Reads the four columns that are either all there or all absent.
    fileprivate init?(_ row: inout Row) throws(StoreError) {
        let (userKey, epoch) = (try row.optionalInteger(), try row.optionalInteger())
        let (identityKey, sessionID) = (try row.optionalInteger(), try row.optionalText())
        guard let userKey, let epoch, let identityKey, let sessionID else { return nil }
        self.init(userKey: userKey, epoch: epoch, identityKey: identityKey, sessionID: sessionID)
    }
}
