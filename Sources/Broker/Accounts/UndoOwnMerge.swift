package import BrokerStore
import ProviderKit

/// A merge that its user asked for and may undo.
package struct OwnMerge: Sendable {
    package let merge: UndoableMerge
    /// The providers of which one has to verify the other side; empty where none can, and an administrator has to undo it.
    package let provingProviders: [String]
}

/// Undoes merges for the users who asked for them, and have logged in to both sides again.
extension AccountContext {
    /// The most merges that a user sees.
    private static let ownMerges = 20

    /// The merges that a session's user asked for in the last 30 days, oldest first.
    ///
    /// - Parameter presented: The session.
    /// - Returns: The merges, with what proves the side that the session does not.
    /// - Throws: ``BrokerError`` of the session, or a store's error.
    package func ownMerges(_ presented: PresentedSession) async throws -> [OwnMerge] {
        let now = now
        let judged = try await sessions.verifier.judge(presented, at: now)
        return try await store.read { [self] transaction in
            let facts = try transaction.liveSession(behind: judged)
            let snapshots = try transaction.mergeSnapshots(
                askedForBy: facts.user.key, at: now, limit: Self.ownMerges)
            return try snapshots.map { snapshot in
                let plan = try UndoPlan(snapshot, try mergeSnapshots.open(snapshot), in: transaction)
                return OwnMerge(
                    merge: UndoableMerge(plan),
                    provingProviders: plan.providers(ofAbsorbed: !plan.isAbsorbedSide(facts.session)))
            }
        }
    }

    /// Undoes a merge that its user asked for, in one transaction. Two logins of the last five minutes prove both sides: one
    /// with an identity that the merge brought, the other one without. All sessions of both users end, and no custom
    /// claim comes back. The two may be merged again.
    ///
    /// - Parameters:
    ///   - id: The merge's id.
    ///   - presented: The session that asks.
    ///   - other: The login of the other side, which is one of the same user now.
    ///   - origin: The request.
    /// - Returns: Both users, and what was not restored.
    /// - Throws: ``BrokerError`` of the session, ``BrokerError/recentLoginRequired``, ``BrokerError/stepUpRequired(_:)``,
    ///   ``BrokerError/mergeNotFound`` for another user's merge too, ``BrokerError/otherLoginInvalid(_:)``,
    ///   ``BrokerError/undoNeedsAdministrator``; nothing is written then.
    package func undoOwnMerge(
        _ id: String, _ presented: PresentedSession, with other: OtherLogin, origin: Origin
    ) async throws -> UndoMergeOutcome {
        let now = now
        let judged = try await sessions.verifier.judge(presented, at: now)
        let login = try await judge(other, at: now)
        return try await store.write(at: now, by: origin) { [self] transaction in
            let own = try transaction.liveSession(behind: judged)
            guard let plan = try plan(id, at: now, in: transaction), plan.merge.provider == PendingMerge.ofUser,
                plan.survivor.user.key == own.user.key
            else { throw BrokerError.mergeNotFound }
            try sessions.recentLogin.requireForMerge(own.session, at: now)
            let isAbsorbed = plan.isAbsorbedSide(own.session)
            let proving = plan.providers(ofAbsorbed: !isAbsorbed)
            guard !proving.isEmpty else { throw BrokerError.undoNeedsAdministrator }
            let other = try transaction.facts(of: login)
            guard other.user.key == own.user.key, plan.isAbsorbedSide(other.session) != isAbsorbed else {
                throw BrokerError.otherLoginInvalid(
                    "Sign in with \(proving.joined(separator: " or ")), which the other account had.")
            }
            try requireRecent(other, at: now)
            return try undo(
                plan, keepsApart: false, by: origin.acting(as: .user, own.user.localID), in: transaction)
        }
    }
}

extension UndoPlan {
    /// Whether a session began with an identity that the merge brought.
    fileprivate func isAbsorbedSide(_ session: Session) -> Bool {
        session.identityKey.map { key in before.identities.contains { $0.identity.key == key } } ?? false
    }

    /// The providers with which the user can prove one side: the identities that go back, or those that stay.
    fileprivate func providers(ofAbsorbed: Bool) -> [String] {
        let brought = Set(before.identities.map(\.identity.key))
        return survivor.identities.filter { brought.contains($0.key) == ofAbsorbed && !$0.isAnonymous }
            .map(\.provider)
    }
}
