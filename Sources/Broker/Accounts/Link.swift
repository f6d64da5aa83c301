package import BrokerStore
import Foundation
package import ProviderKit

/// Adds a provider's identity to a user that exists: for the user's own session, or for an admin.
package struct Link: Sendable {
    let proof: FederatedProof
    let verifier: IDTokenVerifier
    let recentLogin: RecentLogin
    let store: Store
    let writer: IdentityWriter
    let tokens: TokenIssuer
    let keys: KeyGenerator
    let policy: Policy
    let now: @Sendable () -> Date

    /// Whom a credential proves, before anything is linked: the admin confirms the person first.
    package struct Proven: Sendable {
        let source: ProvenSource

        /// The same for another flow, which need not ask the provider again.
        package var federatedSource: FederatedSource { .proven(source) }

        package var subject: String { source.evidence.key.subject }
        package var email: String? { source.evidence.email?.address.value }
        package var displayName: String? { source.evidence.displayName }
        package var screenName: String? { source.evidence.screenName }
    }

    /// Asks the provider who the credential belongs to. Writes nothing.
    package func prove(_ credential: Credential, from provider: String) async throws -> Proven {
        try await prove(.credential(credential, provider: provider))
    }

    /// Says whom a source proves. Writes nothing.
    package func prove(_ source: FederatedSource) async throws -> Proven {
        Proven(source: try await proof(source, at: Timestamp(now())))
    }

    /// Links what was proven, as an admin.
    ///
    /// - Returns: The user with all identities.
    /// - Throws: ``BrokerError`` when there is no such user or the resolver refuses.
    package func callAsFunction(_ proven: Proven, to localID: String, origin: Origin) async throws -> UserRecord {
        let fresh = Fresh(keys, at: now())
        let applied = try await write(proven.source, fresh, origin) { transaction in
            try transaction.user(localID: localID).map { LinkTarget(user: $0, session: nil) }
        }
        if case .refused(let error) = applied { throw error }
        let record = try await store.read { transaction in
            try transaction.user(localID: localID).map {
                UserRecord(user: $0, identities: try transaction.identities(of: $0.key))
            }
        }
        guard let record else { throw BrokerError.userNotFound }
        return record
    }

    /// Links for the holder of an ID token: proves the credential, then the session, then decides.
    ///
    /// - Throws: ``BrokerError``; a conflict is an outcome, not an error.
    package func callAsFunction(
        _ source: FederatedSource, idToken: String, origin: Origin
    ) async throws -> FederatedOutcome {
        let proven = try await proof(source, at: Timestamp(now()))
        let fresh = Fresh(keys, at: now())
        let judged = try verifier.judge(.idToken(idToken), at: fresh.now)
        let applied = try await write(proven, fresh, origin) { transaction in
            let session = try recentSession(behind: judged, at: fresh.now, in: transaction)
            return LinkTarget(user: session.user, session: session.session)
        }
        return try await writer.outcome(of: applied, proven, tokens: tokens, fresh: fresh)
    }

    /// Links for the holder of a session, which goes on as it is.
    ///
    /// - Parameters:
    ///   - source: What is to be linked.
    ///   - presented: The session.
    ///   - wasRecent: Whether the login was recent when the link was asked for.
    ///   - origin: Who asks.
    /// - Returns: The session's facts with the new identity among them.
    /// - Throws: ``BrokerError``, a conflict included; then nothing was written.
    package func callAsFunction(
        _ source: FederatedSource, in presented: PresentedSession, wasRecent: Bool = false, origin: Origin
    ) async throws -> SessionFacts {
        let proven = try await proof(source, at: Timestamp(now()))
        let fresh = Fresh(keys, at: now())
        let judged = try await verifier.judged(presented, at: fresh.now)
        let applied = try await write(proven, fresh, origin) { transaction in
            let session =
                wasRecent
                ? try transaction.liveSession(behind: judged)
                : try recentSession(behind: judged, at: fresh.now, in: transaction)
            return LinkTarget(user: session.user, session: nil)
        }
        if case .refused(let error) = applied { throw error }
        return try await store.read { try $0.liveSession(behind: judged) }
    }

    /// Why an identity behind a pending token cannot be linked to a user, so that no user is asked in vain. Writes nothing,
    /// and the link decides again.
    ///
    /// - Returns: `nil` when it can be linked.
    /// - Throws: A store's error.
    func objection(to pendingToken: String, for localID: String) async throws -> BrokerError? {
        do {
            let evidence = try await proof(.pendingToken(pendingToken), at: Timestamp(now())).evidence
            return try await store.read { transaction in
                guard let user = try transaction.user(localID: localID) else { return .userNotFound }
                let holders = try transaction.holders(of: evidence)
                let facts = try transaction.facts(about: evidence, holders, linkingTo: user)
                let decision = AccountResolver.decide(evidence, facts, intent: .link(user), policy: policy).decision
                switch decision {
                case .link: return nil
                case .refuse(let error): return error
                case .signIn, .join, .createUser, .needConfirmation: return .credentialRejected
                }
            }
        } catch let error as BrokerError where error != .storeUnavailable {
            return error
        }
    }

    private func recentSession(
        behind judged: JudgedSession, at now: Timestamp, in transaction: borrowing Transaction
    ) throws -> SessionFacts {
        let session = try transaction.liveSession(behind: judged)
        try recentLogin.require(for: .link, session, at: now)
        return session
    }

    /// To whom an identity goes, and in which session.
    private struct LinkTarget {
        let user: User
        let session: Session?
    }

    private func write(
        _ proven: ProvenSource, _ fresh: Fresh, _ origin: Origin,
        target: @escaping @Sendable (borrowing Transaction) throws -> LinkTarget?
    ) async throws -> AppliedDecision {
        try await store.write { transaction in
            guard let target = try target(transaction) else { return .refused(.userNotFound) }
            if let token = proven.pendingToken {
                let owner = try PendingTokens.user(of: token, at: fresh.now, in: transaction)
                guard owner?.key ?? target.user.key == target.user.key else { throw BrokerError.invalidPendingToken }
            }
            let holders = try transaction.holders(of: proven.evidence)
            let facts = try transaction.facts(about: proven.evidence, holders, linkingTo: target.user)
            let resolution = AccountResolver.decide(
                proven.evidence, facts, intent: .link(target.user), policy: policy)
            let applied = try apply(resolution.decision, proven, target, fresh, in: transaction)
            try transaction.record(resolution, proven.evidence, applied, fresh, origin)
            return applied
        }
    }

    private func apply(
        _ decision: AccountResolver.Decision, _ proven: ProvenSource, _ target: LinkTarget, _ fresh: Fresh,
        in transaction: borrowing Transaction
    ) throws -> AppliedDecision {
        guard case .link(let user, let takesEmail, let verifiesEmail) = decision else {
            if case .refuse(let error) = decision { return .refused(error) }
            return .refused(.credentialRejected)
        }
        if let used = try writer.consume(proven, for: user.localID, fresh, in: transaction) { return .refused(used) }
        let evidence = proven.evidence
        try writer.add(evidence, to: user, fresh, in: transaction)
        if takesEmail || verifiesEmail, let email = evidence.email, let canonical = email.address.canonical {
            _ = try transaction.setEmail(
                of: user.key, email: canonical, canonical: canonical, verified: email.isVerified,
                assertedBy: evidence.key.provider, at: fresh.now)
        }
        guard let linked = try transaction.user(key: user.key) else { return .refused(.userNotFound) }
        var session = fresh.session(
            of: linked, provider: evidence.key.provider, as: proven.shape(), from: ClientDevice())
        guard let earlier = target.session else {
            let identities = try transaction.identities(of: linked.key)
            return .linked(SessionFacts(session: session, user: linked, identities: identities))
        }
        // A link proves the new identity, not the old one again; an anonymous user had proven nothing before.
        if earlier.signInProvider != "anonymous" {
            session.authTime = earlier.authTime
            session.authenticationMethods = earlier.authenticationMethods
        }
        (session.userAgent, session.address) = (earlier.userAgent, earlier.address)
        return .linked(try writer.begin(session, of: linked, at: fresh.now, in: transaction))
    }
}
