package import BrokerStore
import Foundation

/// Deletes a user with everything that hangs on them; what the audit says about them stays.
package struct DeleteAccount: Sendable {
    let verifier: IDTokenVerifier
    let policy: Policy
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// The user's own wish.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3, then ``BrokerError/recentLoginRequired``.
    package func callAsFunction(_ presented: PresentedSession, origin: Origin) async throws {
        let date = now()
        let now = Timestamp(date)
        let judged = try verifier.judge(presented, at: now)
        let auditKey = keys.next(at: date)
        try await store.write { transaction in
            let facts = try transaction.liveSession(behind: judged)
            try RecentLogin(policy: policy).require(for: .delete, facts, at: now)
            try delete(
                facts.user,
                AuditEntry(
                    key: auditKey, at: now, actorKind: .user, actor: facts.user.localID, event: "user.deleted",
                    localID: facts.user.localID, requestID: origin.requestID),
                in: transaction)
        }
    }

    /// An admin's doing, which asks for no login of the user.
    ///
    /// - Throws: ``BrokerError/userNotFound``.
    package func callAsFunction(localID: String, origin: Origin) async throws {
        let date = now()
        let entry = AuditEntry(
            key: keys.next(at: date), at: Timestamp(date), actorKind: origin.actorKind, actor: origin.actor,
            event: "user.deleted", localID: localID, requestID: origin.requestID)
        try await store.write { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            try delete(user, entry, in: transaction)
        }
    }

    private func delete(_ user: User, _ entry: AuditEntry, in transaction: borrowing Transaction) throws {
        // Whoever deletes an account and comes back is told everything anew by the provider, or nothing.
        try transaction.removeFirstTimeProfiles(of: user.key)
        guard try transaction.deleteUser(key: user.key) else { throw BrokerError.userNotFound }
        try transaction.append(entry)
    }
}
