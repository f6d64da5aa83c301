package import BrokerStore
import Foundation
import ProviderKit

/// Revokes one session or everything issued to a user, for an administrator; effective at once.
package struct RevokeSessions: Sendable {
    let store: Store
    let now: @Sendable () -> Date

    private static let reason = "revoked by an administrator"

    /// Revokes one session, with those that came from it.
    ///
    /// - Returns: false if there is no such session that had not ended.
    package func callAsFunction(session id: String, origin: Origin) async throws -> Bool {
        let now = Timestamp(now())
        return try await store.write(at: now, by: origin) { transaction in
            guard let facts = try transaction.sessionFacts(id: id),
                try transaction.revokeSession(id: id, at: now, reason: Self.reason)
            else { return false }
            try transaction.revokeSessions(from: id, at: now, reason: Self.reason)
            try transaction.audit("session.revoked", of: facts.user.localID, detail: ["session": .string(id)])
            return true
        }
    }

    /// Revokes all sessions and ID tokens of a user. A sign-in after this call is valid, in the same second too.
    ///
    /// - Returns: How many sessions had not ended.
    /// - Throws: ``BrokerError/userNotFound``.
    package func callAsFunction(allOf localID: String, origin: Origin) async throws -> Int {
        let now = Timestamp(now())
        return try await store.write(at: now, by: origin) { transaction in
            guard let user = try transaction.user(localID: localID),
                try transaction.bumpEpoch(userKey: user.key, validSince: now.seconds) != nil
            else { throw BrokerError.userNotFound }
            let count = try transaction.revokeSessions(of: user.key, at: now, reason: Self.reason)
            try transaction.audit("session.revoked-all", of: localID, detail: ["sessions": .integer(Int64(count))])
            return count
        }
    }
}
