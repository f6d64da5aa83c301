/// A provider grant that is to be revoked at its provider, after it left the identity it belonged to.
///
/// The row has no personal data: the subject and the tokens are sealed.
package struct Withdrawal: Sendable, Hashable {
    /// The event that made the grant superfluous.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The identity was unlinked.
        case unlink
        /// The user was deleted.
        case delete
        /// The grant alone was revoked; the identity stays.
        case revoke
    }

    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Waits for its next attempt.
        case queued
        /// Waits for an operator, because the provider refused the broker's client or there is none to ask as.
        case parked
        /// Abandoned after the configured time; the sealed grant stays until the row is removed.
        case dead
        /// Revoked at the provider.
        case done
        /// Not to be revoked any more; ``Withdrawal/reason`` says why.
        case dropped

        /// Whether the sealed grant is erased.
        package var isErased: Bool { self == .done || self == .dropped }
        /// Whether there will be another attempt without an operator.
        package var isOpen: Bool { self == .queued || self == .parked }
    }

    /// The kind of token that is sent, as RFC 7009 §2.1 names it.
    package enum TokenHint: String, Sendable, Hashable, CaseIterable {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    /// The right of one broker to make the next attempt.
    package struct Claim: Sendable, Hashable {
        /// A random id of the process.
        package var holder: String
        package var until: Timestamp

        package init(holder: String, until: Timestamp) {
            self.holder = holder
            self.until = until
        }
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
    package var state: State
    /// The result of the last attempt, or the reason of the state, for operators.
    package var reason: String?
    /// Subject and tokens; nil once the row is done or dropped.
    package var sealedGrant: [UInt8]?
    package var attempts: Int64
    package var createdAt: Timestamp
    /// When it was queued last, by its event or by an operator; its time as a dead letter counts from here.
    package var queuedAt: Timestamp
    /// When it is due; nil once it ended.
    package var nextAttemptAt: Timestamp?
    package var claim: Claim?
    /// When it became dead, done or dropped.
    package var endedAt: Timestamp?

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
        state = .queued
        self.sealedGrant = sealedGrant
        attempts = 0
        self.createdAt = createdAt
        queuedAt = createdAt
        nextAttemptAt = createdAt
    }
}

extension Withdrawal {
    /// All columns, in the order in which `init(reading:)` and ``values`` have them.
    static let columns = """
        key, id, provider, issuer, subject_hash, client_id, token_hint, cause, state, reason, sealed_grant, attempts, \
        created_at, queued_at, next_attempt_at, lease_holder, lease_until, ended_at
        """

    init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        provider = try row.text()
        issuer = try row.text()
        subjectHash = try row.text()
        clientID = try row.text()
        tokenHint = try row.choice(TokenHint.self)
        cause = try row.choice(Cause.self)
        state = try row.choice(State.self)
        reason = try row.optionalText()
        sealedGrant = try row.optionalBlob()
        attempts = try row.integer()
        createdAt = try row.time()
        queuedAt = try row.time()
        nextAttemptAt = try row.optionalTime()
        let (holder, until) = (try row.optionalText(), try row.optionalTime())
        claim = holder.flatMap { holder in until.map { Claim(holder: holder, until: $0) } }
        endedAt = try row.optionalTime()
    }

    var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(provider), .text(issuer), .text(subjectHash), .text(clientID),
            .text(tokenHint.rawValue), .text(cause.rawValue), .text(state.rawValue), .text(orNull: reason),
            .blob(orNull: sealedGrant), .integer(attempts), .time(createdAt), .time(queuedAt),
            .time(orNull: nextAttemptAt), .text(orNull: claim?.holder), .time(orNull: claim?.until),
            .time(orNull: endedAt),
        ]
    }
}
