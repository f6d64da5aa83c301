package import BrokerStore
import ProviderKit

extension AccountContext {
    /// Gives up a user's grants at providers, for an administrator, as after a leak: deletes the stored grants and
    /// queues their revocation, in one transaction. The identities stay linked, and the next sign-in brings a new
    /// grant.
    ///
    /// - Parameters:
    ///   - provider: The id of an entry; nil for all providers.
    ///   - localID: The user.
    ///   - origin: The administrator.
    /// - Returns: A receipt for each grant, and one for each identity without any; empty if no identity matches.
    /// - Throws: ``BrokerError/userNotFound``.
    package func revokeGrants(
        at provider: String? = nil, of localID: String, origin: Origin
    ) async throws -> [WithdrawalReceipt] {
        let order = outbox.withdrawals.order(.revoke)
        return try await write(by: origin) { transaction in
            let record = try transaction.record(of: localID)
            let identities = record.identities.filter { identity in
                provider.map { identity.provider.hasSameBytes(as: $0) } ?? true
            }
            let receipts = try order.queue(identities, of: record.user, in: transaction)
            for identity in identities { _ = try transaction.removeGrants(ofIdentity: identity.key) }
            return receipts
        }
    }
}
