package import BrokerStore
import Foundation
import ProviderKit

/// The broker's main job: a provider's credential in, one user record and the broker's own tokens out.
package struct SignIn: Sendable {
    let proof: FederatedProof
    let store: Store
    let writer: IdentityWriter
    let tokens: TokenIssuer
    let keys: KeyGenerator
    let policy: Policy
    let now: @Sendable () -> Date

    package struct Request: Sendable {
        let source: FederatedSource
        /// `false` for reauthentication: an identity nobody has is refused instead of becoming a user.
        let createsUser: Bool

        package init(_ source: FederatedSource, createsUser: Bool = true) {
            self.source = source
            self.createsUser = createsUser
        }
    }

    /// - Throws: ``BrokerError`` of a refusal, after its decision record was committed.
    package func callAsFunction(_ request: Request, origin: Origin) async throws -> FederatedOutcome {
        let proven = try await proof(request.source, at: Timestamp(now()))
        let (applied, fresh) = try await resolve(
            proven, createsUser: request.createsUser, as: proven.shape(), origin: origin)
        return try await writer.outcome(of: applied, proven, tokens: tokens, fresh: fresh)
    }

    /// Decides whose evidence it is and begins their session; gives out no tokens.
    ///
    /// - Parameters:
    ///   - proven: What a provider has borne out.
    ///   - createsUser: Whether an identity nobody has becomes a user.
    ///   - shape: What the session is for.
    ///   - localID: The only user who may come of it.
    ///   - origin: Who asks.
    /// - Returns: What was written, and what was drawn for it.
    /// - Throws: A store's error; a refusal is an outcome.
    func resolve(
        _ proven: ProvenSource, createsUser: Bool, as shape: SessionShape, only localID: String? = nil, origin: Origin
    ) async throws -> (AppliedDecision, Fresh) {
        let evidence = proven.evidence
        let fresh = Fresh(keys, at: now())
        let merge = MergeStep(
            evidence, isAutomatic: proven.mergesAutomatically, keys: keys, origin: origin,
            at: fresh.now)
        let attempt = Attempt(
            proven: proven, fresh: fresh, origin: origin, merge: merge, shape: shape, onlyUser: localID)
        let applied = try await store.write { transaction in
            let owner = try proven.pendingToken.flatMap {
                try PendingTokens.user(of: $0, at: fresh.now, in: transaction)
            }
            let holders = try transaction.holders(of: evidence)
            let facts = try transaction.facts(about: evidence, holders)
            let resolution = AccountResolver.decide(
                evidence, facts, intent: .signIn(createsUser: createsUser), policy: policy)
            guard owner.map({ resolution.decision.signsIn($0) }) ?? true else { throw BrokerError.invalidPendingToken }
            let applied = try apply(resolution.decision, attempt, holders, in: transaction)
            try transaction.record(resolution, evidence, applied, fresh, origin)
            return applied
        }
        return (applied, fresh)
    }

    /// What was proven and drawn before the transaction.
    private struct Attempt {
        let proven: ProvenSource
        let fresh: Fresh
        let origin: Origin
        let merge: MergeStep
        let shape: SessionShape
        let onlyUser: String?
    }

    private func apply(
        _ decision: AccountResolver.Decision, _ attempt: Attempt, _ holders: SubjectHolders,
        in transaction: borrowing Transaction
    ) throws -> AppliedDecision {
        if let onlyUser = attempt.onlyUser {
            guard case .signIn(let user) = decision, user.localID.utf8.elementsEqual(onlyUser.utf8) else {
                // Whoever else it may be is nothing to the one who asked.
                if case .refuse(.userDisabled) = decision { return .refused(.userDisabled) }
                return .refused(.userMismatch)
            }
        }
        switch decision {
        case .needConfirmation(let holder, let discloses, let isRecycled):
            let providers = try transaction.identities(of: holder.key).map(\.provider)
            return .needConfirmation(
                discloses ? .init(user: holder, providers: providers) : nil, isRecycled: isRecycled)
        case .refuse(let error): return .refused(error)
        case .link: return .refused(.credentialRejected)
        case .signIn(let user), .join(let user, _):
            return try write(decision, for: user.localID, attempt, holders, in: transaction)
        case .createUser:
            return try write(decision, for: attempt.fresh.localID, attempt, holders, in: transaction)
        }
    }

    private func write(
        _ decision: AccountResolver.Decision, for localID: String, _ attempt: Attempt, _ holders: SubjectHolders,
        in transaction: borrowing Transaction
    ) throws -> AppliedDecision {
        let evidence = attempt.proven.evidence
        let fresh = attempt.fresh
        if let used = try writer.consume(attempt.proven, for: localID, fresh, in: transaction) { return .refused(used) }
        let signedIn: User
        var isNew = false
        var released: User?
        switch decision {
        case .createUser(let holder, let withEmail):
            if let holder { try transaction.releaseEmail(of: holder.key) }
            signedIn = User(creating: evidence, withEmail: withEmail, fresh)
            guard try transaction.insert(signedIn) else { throw InternalError.uniqueKeyTaken("users") }
            try writer.add(evidence, to: signedIn, fresh, in: transaction)
            isNew = true
            released = holder
        case .join(let holder, let strips):
            signedIn = try writer.join(evidence, to: holder, strips: strips, fresh, in: transaction)
        case .signIn(let owner):
            signedIn = try attempt.merge(owner, holders, in: transaction)
            try writer.renew(evidence, holders, fresh, attempt.origin, in: transaction)
        case .link, .needConfirmation, .refuse: return .refused(.credentialRejected)
        }
        let session = fresh.session(
            of: signedIn, provider: evidence.key.provider, as: attempt.shape, from: attempt.origin.device)
        let facts = try writer.begin(session, of: signedIn, at: fresh.now, in: transaction)
        if let earlier = attempt.shape.replaces {
            let hasEnded = try transaction.revokeSession(id: earlier.id, at: fresh.now, reason: "signed in again")
            // What came from the earlier one of the same person goes on under the new one, unless somebody ended it.
            if hasEnded, earlier.userKey == facts.user.key {
                try transaction.moveSessions(from: earlier.id, to: facts.session.id)
            }
        }
        return .signedIn(facts, isNewUser: isNew, released: released)
    }
}

extension AccountResolver.Decision {
    /// Whether this user, and no other, comes of it; a disabled one is told so.
    fileprivate func signsIn(_ user: User) -> Bool {
        switch self {
        case .signIn(let owner): owner.key == user.key
        case .refuse(.userDisabled): true
        case .link, .join, .createUser, .needConfirmation, .refuse: false
        }
    }
}
