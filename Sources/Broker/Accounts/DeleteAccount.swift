package import BrokerStore
import Foundation

/// Deletes a user with everything that belongs to them, except for the audit.
package struct DeleteAccount: Sendable {
    let verifier: IDTokenVerifier
    let policy: Policy
    let store: Store
    let now: @Sendable () -> Date

    /// Deletes the user of a session.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3, then ``BrokerError/recentLoginRequired``.
    package func callAsFunction(_ presented: PresentedSession, origin: Origin) async throws {
        let now = Timestamp(now())
        let judged = try verifier.judge(presented, at: now)
        try await store.write(at: now) { transaction in
            let facts = try transaction.liveSession(behind: judged)
            try RecentLogin(policy: policy).require(for: .delete, facts, at: now)
            try delete(facts.user, by: origin.acting(as: .user, facts.user.localID), in: transaction)
        }
    }

    /// Deletes a user for an administrator, without the user's login.
    ///
    /// - Throws: ``BrokerError/userNotFound``.
    package func callAsFunction(localID: String, origin: Origin) async throws {
        try await store.write(at: Timestamp(now())) { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            try delete(user, by: origin, in: transaction)
        }
    }

    private func delete(_ user: User, by origin: Origin, in transaction: borrowing Transaction) throws {
        // A user who returns after the deletion is not shown what the provider sent for the first account.
        try transaction.removeFirstTimeProfiles(of: user.key)
        guard try transaction.deleteUser(key: user.key) else { throw BrokerError.userNotFound }
        try transaction.audit("user.deleted", of: user.localID, by: origin)
    }
}
