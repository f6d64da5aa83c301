import BrokerStore
import Foundation
import ProviderKit

/// Takes a provider's identity away from a user, with the provider tokens that came with it: an administrator's decision.
package struct UnlinkIdentity: Sendable {
    let policy: Policy
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// What came of it.
    package enum Outcome: Sendable {
        case unlinked(UserRecord)
        /// The user has no identity of that provider; nothing was written.
        case notLinked
        /// The policy keeps a user from losing the last way to sign in; nothing was written.
        case lastSignInMethod
    }

    /// - Parameters:
    ///   - provider: The provider's id.
    ///   - localID: The user.
    ///   - leavesNoWayIn: Whether the last way to sign in may go as well, whatever the policy says.
    ///   - origin: Who does it.
    /// - Returns: What came of it, with the user as they are now.
    /// - Throws: ``BrokerError/userNotFound``.
    package func callAsFunction(
        _ provider: String, from localID: String, leavesNoWayIn: Bool, origin: Origin
    ) async throws -> Outcome {
        let date = now()
        let auditKey = keys.next(at: date)
        return try await store.write { [policy] transaction in
            let record = try transaction.record(of: localID)
            let given = record.identities.filter { $0.identity.provider.utf8.elementsEqual(provider.utf8) }
            guard let identity = given.first else { return .notLinked }
            // Counted in the transaction that removes: two at once cannot both see the other's identity.
            let isLast = record.identities.count == 1 && !record.user.isCustomAuth
            if isLast, policy.lastSignInMethod == .strict, !leavesNoWayIn { return .lastSignInMethod }
            guard try transaction.unlinkIdentity(of: record.user.key, provider: provider) else { return .notLinked }
            try transaction.append(
                AuditEntry(
                    "identity.unlinked", of: localID, key: auditKey, at: Timestamp(date), origin, provider: provider,
                    subjectHash: identity.identity.subjectHash,
                    detail: ["lastSignInMethod": .bool(isLast)]))
            return .unlinked(try transaction.record(of: localID))
        }
    }
}
