package import BrokerStore
import ProviderKit

/// A user after an unlink.
package struct UnlinkOutcome: Sendable {
    package let record: UserRecord
    /// `false` when nothing of that provider was linked.
    package let isUnlinked: Bool
    /// The withdrawals of the grants at the provider.
    package let withdrawals: [WithdrawalReceipt]
}

extension AccountContext {
    /// Unlinks a provider from a user, for an administrator; users do so by an update of their account. With
    /// `leavesNoWayIn` it may remove the last way to sign in, whatever the policy says.
    ///
    /// - Throws: ``BrokerError/userNotFound``, ``BrokerError/lastSignInMethod``; then nothing was written.
    package func unlink(
        provider: String, from localID: String, leavesNoWayIn: Bool = false, origin: Origin
    ) async throws -> UnlinkOutcome {
        var policy = policy
        if leavesNoWayIn { policy.lastSignInMethod = .firebase }
        let order = outbox.withdrawals.order(.unlink)
        return try await write { [policy] transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            let identities = try transaction.identities(of: user.key)
            let unlinked = identities.filter { $0.provider.hasSameBytes(as: provider) }
            let receipts = try transaction.unlink(
                unlinked, of: user, among: identities, policy, withdrawing: order, by: origin)
            guard let remaining = try transaction.user(key: user.key) else { throw BrokerError.userNotFound }
            return UnlinkOutcome(
                record: UserRecord(user: remaining, identities: try transaction.identities(of: user.key)),
                isUnlinked: !unlinked.isEmpty, withdrawals: receipts)
        }
    }
}

extension Transaction {
    /// Deletes identities of a user. Counting and deleting are one transaction, so that of two concurrent unlinks the
    /// second sees what the first left. The grants are queued for withdrawal.
    ///
    /// - Returns: What becomes of the grants.
    /// - Throws: ``BrokerError/lastSignInMethod`` if the user could not sign in any more and the policy forbids it.
    func unlink(
        _ unlinked: [Identity], of user: User, among identities: [Identity], _ policy: Policy,
        withdrawing order: WithdrawalOrder, by origin: Origin
    ) throws -> [WithdrawalReceipt] {
        guard !unlinked.isEmpty else { return [] }
        // A user with custom tokens can sign in without an identity.
        if policy.lastSignInMethod == .strict, unlinked.count == identities.count, !user.isCustomAuth {
            throw BrokerError.lastSignInMethod
        }
        // Grants are deleted with their identity.
        let receipts = try order.queue(unlinked, of: user, in: self, by: origin)
        try remove(unlinked, of: user, by: origin)
        return receipts
    }

    /// Deletes identities of a user, whose address gets another source.
    func remove(_ identities: [Identity], of user: User, by origin: Origin) throws {
        for identity in identities { _ = try deleteIdentity(key: identity.key) }
        let email = try settleEmail(of: user.key, without: identities, at: now)
        for identity in identities {
            try audit(
                "identity.unlinked", of: user.localID, provider: identity.provider,
                subjectHash: identity.identity.subjectHash, detail: email.detail, by: origin)
        }
    }
}
