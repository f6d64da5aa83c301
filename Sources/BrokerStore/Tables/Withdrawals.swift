extension Withdrawal: QueueRow {
    /// The event that made the grant superfluous.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The identity was unlinked.
        case unlink
        /// The user was deleted.
        case delete
        /// The grant alone was revoked; the identity stays.
        case revoke
    }

    package enum State: String, QueueState {
        /// Waits for its next attempt.
        case queued
        /// Waits for an operator, because the provider refused the broker's client or there is none to ask as.
        case parked
        /// Abandoned after the configured time; the sealed grant stays until the row is removed.
        case dead
        /// Revoked at the provider.
        case done
        /// Not to be revoked any more; ``QueueProgress/reason`` says why.
        case dropped
    }

    /// The kind of token that is sent, as RFC 7009 §2.1 names it.
    package enum TokenHint: String, Sendable, Hashable, CaseIterable {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    package enum Field: String, QueueField {
        case id, provider
    }

    package static let queue = QueueTable<Withdrawal>(recipient: ["provider"], secret: "sealed_grant")

    /// A withdrawal that is due at once.
    package init(
        key: Int64, id: String, identity: IdentityKey, subjectHash: String, clientID: String, tokenHint: TokenHint,
        cause: Cause, sealedGrant: [UInt8], createdAt: Timestamp
    ) {
        self.init(
            key: key, id: id, provider: identity.provider, issuer: identity.issuer, subjectHash: subjectHash,
            clientID: clientID, tokenHint: tokenHint, cause: cause, sealedGrant: sealedGrant, createdAt: createdAt,
            progress: QueueProgress(queuedAt: createdAt))
    }
}

extension Transaction {
    /// The latest withdrawal of a subject's grant since `moment`, unless it was dropped.
    package func latestWithdrawal(
        of identity: IdentityKey, subjectHash: String, since moment: Timestamp
    ) throws(StoreError) -> Withdrawal? {
        try first(
            "latest_withdrawal_of_subject",
            """
            SELECT \(Withdrawal.columns) FROM withdrawals
            WHERE subject_hash = $1 AND provider = $2 AND issuer = $3 AND created_at >= $4 AND state <> 'dropped'
            ORDER BY key DESC LIMIT 1
            """, .text(subjectHash), .text(identity.provider), .text(identity.issuer), .time(moment))
    }
}
