package import BrokerStore
import Foundation

/// Switches a user off, or on again: an administrator's decision.
///
/// Every endpoint reads the flag on each use, so it takes effect at once. Nothing is ended: a user switched on again goes
/// on with the sessions they had.
package struct DisableUser: Sendable {
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// - Returns: The user as they are now; an audit row is written when that is a change.
    /// - Throws: ``BrokerError/userNotFound``.
    package func callAsFunction(
        _ isDisabled: Bool = true, localID: String, origin: Origin
    ) async throws -> UserRecord {
        let date = now()
        let auditKey = keys.next(at: date)
        return try await store.write { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            if try transaction.setDisabled(isDisabled, userKey: user.key) {
                try transaction.append(
                    AuditEntry(
                        isDisabled ? "user.disabled" : "user.enabled", of: localID, key: auditKey, at: Timestamp(date),
                        origin))
            }
            return try transaction.record(of: localID)
        }
    }
}

extension Transaction {
    /// A user with all identities.
    ///
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    func record(of localID: String) throws -> UserRecord {
        guard let user = try user(localID: localID) else { throw BrokerError.userNotFound }
        return UserRecord(user: user, identities: try identities(of: user.key))
    }
}
