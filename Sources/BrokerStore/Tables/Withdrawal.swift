/// A provider grant that is to be revoked at its provider, after it left the identity it belonged to.
///
/// The row has no personal data: the subject and the tokens are sealed.
package struct Withdrawal: QueueRow {
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

    /// Private, time-ordered.
    package var key: Int64
    /// The receipt: random, public.
    package var id: String
    /// The id of the provider entry.
    package var provider: String
    /// The issuer or the instance that knows the subject.
    package var issuer: String
    /// Stands for the subject.
    package var subjectHash: String
    /// The broker's client at the provider that obtained the tokens.
    package var clientID: String
    package var tokenHint: TokenHint
    package var cause: Cause
    /// Subject and tokens; nil once the row is done or dropped.
    package var sealedGrant: [UInt8]?
    package var createdAt: Timestamp
    package var progress: QueueProgress<State>

    /// A withdrawal that is due at once.
    package init(
        key: Int64, id: String, identity: IdentityKey, subjectHash: String, clientID: String, tokenHint: TokenHint,
        cause: Cause, sealedGrant: [UInt8], createdAt: Timestamp
    ) {
        self.key = key
        self.id = id
        provider = identity.provider
        issuer = identity.issuer
        self.subjectHash = subjectHash
        self.clientID = clientID
        self.tokenHint = tokenHint
        self.cause = cause
        self.sealedGrant = sealedGrant
        self.createdAt = createdAt
        progress = QueueProgress(queuedAt: createdAt)
    }
}

extension Withdrawal {
    package static let queue = QueueTable<Withdrawal>(.withdrawals, recipient: ["provider"], secret: "sealed_grant")

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        provider = try row.text()
        issuer = try row.text()
        subjectHash = try row.text()
        clientID = try row.text()
        tokenHint = try row.choice(TokenHint.self)
        cause = try row.choice(Cause.self)
        sealedGrant = try row.optionalBlob()
        createdAt = try row.time()
        progress = try QueueProgress(reading: &row)
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(provider), .text(issuer), .text(subjectHash), .text(clientID),
            .text(tokenHint.rawValue), .text(cause.rawValue), .blob(orNull: sealedGrant), .time(createdAt),
        ] + progress.values
    }
}

/// The statements of `withdrawals` besides those of its queue.
enum WithdrawalStatements {
    static let latest = Statement(
        "latest_withdrawal_of_subject",
        """
        SELECT \(Withdrawal.queue.columns) FROM withdrawals
        WHERE subject_hash = $1 AND provider = $2 AND issuer = $3 AND created_at >= $4 AND state <> 'dropped'
        ORDER BY key DESC LIMIT 1
        """, .text, .text, .text, .integer)

    static let all = Withdrawal.queue.all + [latest]
}

extension Transaction {
    /// The latest withdrawal of a subject's grant since `moment`, unless it was dropped.
    package func latestWithdrawal(
        of identity: IdentityKey, subjectHash: String, since moment: Timestamp
    ) throws(StoreError) -> Withdrawal? {
        try Withdrawal.rows(
            run(
                WithdrawalStatements.latest, .text(subjectHash), .text(identity.provider), .text(identity.issuer),
                .time(moment))
        ).first
    }
}
