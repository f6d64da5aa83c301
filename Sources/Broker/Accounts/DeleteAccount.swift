package import BrokerStore
import Foundation

/// Deletes a user with everything that belongs to them, except for the audit.
package struct DeleteAccount: Sendable {
    let verifier: IDTokenVerifier
    let policy: Policy
    let store: Store
    let withdrawals: Withdrawals
    let now: @Sendable () -> Date

    /// Deletes the user of a session.
    ///
    /// - Returns: What becomes of the user's grants at their providers.
    /// - Throws: ``BrokerError`` in the order of contract §5.3, then ``BrokerError/recentLoginRequired``.
    @discardableResult
    package func callAsFunction(
        _ presented: PresentedSession, origin: Origin
    ) async throws -> [WithdrawalReceipt] {
        let now = Timestamp(now())
        let judged = try verifier.judge(presented, at: now)
        let order = withdrawals.order(.delete)
        return try await store.write(at: now) { transaction in
            let facts = try transaction.liveSession(behind: judged)
            try RecentLogin(policy: policy).require(for: .delete, facts, at: now)
            return try transaction.delete(
                facts.user, withdrawing: order, by: origin.acting(as: .user, facts.user.localID))
        }
    }

    /// Deletes a user for an administrator, without the user's login. Of a user who was merged into another one, what is
    /// left is deleted: the snapshot, with which the merge could be undone, and the alias.
    ///
    /// - Returns: What becomes of the user's grants at their providers.
    /// - Throws: ``BrokerError/userNotFound``.
    @discardableResult
    package func callAsFunction(localID: String, origin: Origin) async throws -> [WithdrawalReceipt] {
        let order = withdrawals.order(.delete)
        return try await store.write(at: Timestamp(now())) { transaction in
            guard let user = try transaction.user(localID: localID) else {
                guard try transaction.removeUserAlias(localID) else { throw BrokerError.userNotFound }
                try transaction.removeMergeSnapshots(ofAbsorbed: localID)
                try transaction.audit("user.deleted", of: localID, by: origin)
                return []
            }
            return try transaction.delete(user, withdrawing: order, by: origin)
        }
    }
}

extension Transaction {
    /// Deletes a user. The grants are queued for withdrawal.
    ///
    /// - Returns: What becomes of the grants.
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    func delete(
        _ user: User, withdrawing order: WithdrawalOrder, by origin: Origin
    ) throws -> [WithdrawalReceipt] {
        // Grants are deleted with their user.
        let receipts = try order.queue(identities(of: user.key), of: user, in: self, by: origin)
        // A user who returns after the deletion is not shown what the provider sent for the first account.
        try removeFirstTimeProfiles(of: user.key)
        guard try deleteUser(key: user.key) else { throw BrokerError.userNotFound }
        try audit("user.deleted", of: user.localID, by: origin)
        return receipts
    }
}
