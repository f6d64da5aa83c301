import BrokerStore
import Foundation
import ProviderKit

/// What the federated flows write, each in the transaction of its flow.
struct IdentityWriter: Sendable {
    let vault: GrantVault
    let pendingTokens: PendingTokens
    let store: Store
    let keys: KeyGenerator
    let rules: SessionRules
    let policy: Policy

    /// Uses up what the evidence came by, where it counts only once.
    ///
    /// - Returns: Why it no longer counts; `nil` when it does.
    func consume(
        _ proven: ProvenSource, for localID: String, _ fresh: Fresh, in transaction: borrowing Transaction
    ) throws(StoreError) -> BrokerError? {
        if let token = proven.pendingToken {
            let isUsed = try transaction.consumePendingToken(hash: RandomText.hash(of: token), at: fresh.now)
            return isUsed ? nil : .invalidPendingToken
        }
        guard let token = proven.idToken else { return nil }
        let earlier = try transaction.recordUse(
            of: UsedIDToken(
                key: fresh.useKey, tokenHash: token.hash, localID: localID, usedAt: fresh.now,
                expiresAt: token.expiresAt))
        guard let earlier else { return nil }
        // A sign-in whose answer was lost, or a link right after it, comes with the same token once more.
        let isRepetition = earlier.localID == localID && fresh.now < earlier.usedAt.advanced(by: Self.grace)
        return isRepetition ? nil : .idTokenAlreadyUsed
    }

    /// How long the same user may use an ID token again.
    static let grace = Duration.seconds(60)

    /// Adds a new identity to a user, with every further subject of the person.
    func add(_ evidence: Evidence, to user: User, _ fresh: Fresh, in transaction: borrowing Transaction) throws {
        let identity = Identity(evidence, of: user, key: fresh.identityKey, at: fresh.now)
        guard try transaction.insert(identity) else { throw InternalError.uniqueKeyTaken("identities") }
        try transaction.claim(evidence.subjects, for: identity, at: fresh.now)
        try keep(evidence, of: identity, fresh, in: transaction)
    }

    /// A returning person's provider entry, replaced by what the provider says now; the account stays as it is.
    func renew(
        _ evidence: Evidence, _ holders: SubjectHolders, _ fresh: Fresh, _ origin: Origin,
        in transaction: borrowing Transaction
    ) throws {
        let renewed = try transaction.renewIdentity(holders.known, evidence, at: fresh.now)
        try transaction.claim(holders.unclaimed, for: renewed.identity, at: fresh.now)
        try keep(evidence, of: renewed.identity, fresh, in: transaction)
        guard renewed.isPromoted else { return }
        try transaction.append(
            AuditEntry(
                "identity.promoted", of: holders.owner?.localID, key: fresh.promotionKey, at: fresh.now, origin,
                provider: evidence.key.provider, subjectHash: holders.known.subjectHash))
    }

    /// Adds an identity to the account that holds its proven address (contract §3.4, S2 and S3): the profile is the
    /// provider's from now on. An unproven address strips the account of everything older first.
    ///
    /// - Returns: The user as it is afterwards.
    func join(
        _ evidence: Evidence, to holder: User, strips: Bool, _ fresh: Fresh, in transaction: borrowing Transaction
    ) throws -> User {
        if strips {
            try transaction.removeIdentities(of: holder.key)
            _ = try transaction.bumpEpoch(userKey: holder.key, validSince: fresh.now.seconds)
            try transaction.revokeSessions(of: holder.key, at: fresh.now, reason: "address proven by its owner")
        }
        try add(evidence, to: holder, fresh, in: transaction)
        // Firebase clears what the provider does not send; of a squatter nothing stays under either policy.
        let earlier = strips || policy.autoLinkProfile == .firebase ? nil : holder
        try transaction.setProfile(
            of: holder.key, displayName: evidence.displayName ?? earlier?.displayName,
            photoURL: evidence.photoURL ?? earlier?.photoURL, screenName: evidence.screenName ?? earlier?.screenName)
        if let canonical = evidence.email?.address.canonical {
            _ = try transaction.setEmail(
                of: holder.key, email: canonical, canonical: canonical, verified: true,
                assertedBy: evidence.key.provider, at: fresh.now)
        }
        guard let joined = try transaction.user(key: holder.key) else { throw BrokerError.userNotFound }
        return joined
    }

    /// Begins a session and reads everything its tokens need.
    func begin(
        _ session: Session, of user: User, at now: Timestamp, in transaction: borrowing Transaction
    ) throws(StoreError) -> SessionFacts {
        try transaction.begin(session, rules)
        try transaction.recordSignIn(userKey: user.key, at: now)
        return SessionFacts(session: session, user: user, identities: try transaction.identities(of: user.key))
    }

    /// What the client gets for what was written. A pending token goes with it where the evidence is needed again, and
    /// with a sign-in whose credential counts once (contract §3.6).
    ///
    /// - Throws: The ``BrokerError`` of a refusal that has no answer of its own.
    func outcome(
        of applied: AppliedDecision, _ proven: ProvenSource, tokens: TokenIssuer, fresh: Fresh
    ) async throws -> FederatedOutcome {
        var pending: String?
        if applied.keepsEvidence {
            pending = try await pendingToken(for: proven, at: fresh.now)
        } else if let facts = applied.facts, proven.isOneTime {
            pending = try await pendingToken(for: proven, issuedWith: facts, at: fresh.now)
        }
        return try await FederatedOutcome(
            applied, proven.evidence, pendingToken: pending, tokens: tokens, at: fresh.now)
    }

    /// The token the evidence came by, or a new one; `facts` are of the session it is issued with.
    func pendingToken(
        for proven: ProvenSource, issuedWith facts: SessionFacts? = nil, at now: Timestamp
    ) async throws -> String {
        if let token = proven.pendingToken { return token }
        let binding = facts.flatMap { PendingToken.Binding($0, provider: proven.evidence.key.provider) }
        let (token, row) = try pendingTokens.make(
            proven, boundTo: binding, key: keys.next(at: now.date), at: now)
        try await store.write { try $0.insert(row) }
        return token
    }

    private func keep(
        _ evidence: Evidence, of identity: Identity, _ fresh: Fresh, in transaction: borrowing Transaction
    ) throws {
        guard let grant = evidence.grant else { return }
        try vault.keep(grant, of: identity, key: fresh.grantKey, at: fresh.now, in: transaction)
    }
}

extension PendingToken.Binding {
    /// The session, its user and the user's identity at a provider; a user has one identity at each.
    fileprivate init?(_ facts: SessionFacts, provider: String) {
        guard let identity = facts.identities.first(where: { $0.provider.utf8.elementsEqual(provider.utf8) }) else {
            return nil
        }
        self.init(
            userKey: facts.user.key, epoch: facts.session.epoch, identityKey: identity.key,
            sessionID: facts.session.id)
    }
}
