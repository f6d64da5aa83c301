import BrokerStore
import Foundation
import ProviderKit

/// Removes a user with identities, sessions and provider tokens: an administrator's decision, no recent login asked for.
/// Audit rows and decision records stay.
package struct DeleteUser: Sendable {
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// - Returns: The user as they were.
    /// - Throws: ``BrokerError/userNotFound``.
    package func callAsFunction(localID: String, origin: Origin) async throws -> UserRecord {
        let date = now()
        let auditKey = keys.next(at: date)
        return try await store.write { transaction in
            let record = try transaction.record(of: localID)
            guard try transaction.deleteUser(key: record.user.key) else { throw BrokerError.userNotFound }
            let providers = record.identities.map { JSONValue.string($0.provider) }
            try transaction.append(
                AuditEntry(
                    "user.deleted", of: localID, key: auditKey, at: Timestamp(date), origin,
                    detail: ["providers": .array(providers)]))
            return record
        }
    }
}
