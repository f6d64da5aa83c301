// Generated from `pending_tokens` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// Verified evidence that began no session, for one later use. The store contains the token's hash and the sealed
/// evidence, so a copy of it contains nothing usable.
package struct PendingToken: Record {
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

    /// Private, time-ordered.
    package var key: Int64
    /// SHA-256 of the token.
    package var tokenHash: [UInt8]
    package var sealedEvidence: [UInt8]
    /// The time of the provider's verification.
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// The time of the user's authentication at the provider, in whole seconds since 1970; nil in rows of
    /// brokers of schema 18 and before.
    package var authTime: Int64?
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
        self.authTime = authTime
        self.binding = binding
    }
}

extension PendingToken {
    package static let table = TableDefinition.pendingTokens
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        tokenHash = try row.blob()
        sealedEvidence = try row.blob()
        createdAt = try row.time()
        expiresAt = try row.time()
        authTime = try row.optionalInteger()
        let bindingUserKey = try row.optionalInteger()
        let bindingEpoch = try row.optionalInteger()
        let bindingIdentityKey = try row.optionalInteger()
        let bindingSessionID = try row.optionalText()
        if let bindingUserKey, let bindingEpoch, let bindingIdentityKey, let bindingSessionID {
            binding = Binding(
                userKey: bindingUserKey, epoch: bindingEpoch, identityKey: bindingIdentityKey,
                sessionID: bindingSessionID)
        } else {
            binding = nil
        }
    }

    package var values: [SQLValue] {
        [
            .integer(key), .blob(tokenHash), .blob(sealedEvidence), .time(createdAt), .time(expiresAt),
            .integer(orNull: authTime), .integer(orNull: binding?.userKey), .integer(orNull: binding?.epoch),
            .integer(orNull: binding?.identityKey), .text(orNull: binding?.sessionID),
        ]
    }
}
