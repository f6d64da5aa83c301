package import BrokerStore
import ProviderKit

extension SessionContext {
    /// Revokes one session, with those that came from it, for an administrator; effective at once.
    ///
    /// - Returns: false if there is no such session that had not ended.
    package func revokeSession(_ id: String, origin: Origin) async throws -> Bool {
        let now = now
        return try await store.write(at: now, by: origin) { transaction in
            guard let facts = try transaction.sessionFacts(id: id),
                try transaction.revokeSession(id: id, at: now, reason: Session.revokedByAdministrator)
            else { return false }
            try transaction.revokeSessions(from: id, at: now, reason: Session.revokedByAdministrator)
            try transaction.audit("session.revoked", of: facts.user.localID, detail: ["session": .string(id)])
            return true
        }
    }

    /// Revokes all sessions and ID tokens of a user, for an administrator; effective at once. A sign-in after this call
    /// is valid, in the same second too.
    ///
    /// - Returns: How many sessions had not ended.
    /// - Throws: ``BrokerError/userNotFound``.
    package func revokeSessions(of localID: String, origin: Origin) async throws -> Int {
        let now = now
        return try await store.write(at: now, by: origin) { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            return try transaction.revokeAll(of: user, validSince: now.seconds, Session.revokedByAdministrator)
        }
    }
}

extension Session {
    /// The reason of sessions that an administrator has ended.
    static let revokedByAdministrator = "revoked by an administrator"
}

extension Transaction {
    /// Revokes everything that was issued to a user, for an administrator.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - validSince: Whole seconds since 1970, for the user's record. The epoch alone decides what is valid.
    ///   - reason: The reason that ended sessions carry.
    /// - Returns: How many sessions had not ended.
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    @discardableResult
    func revokeAll(of user: User, validSince: Int64, _ reason: String) throws -> Int {
        guard try bumpEpoch(userKey: user.key, validSince: validSince) != nil else { throw BrokerError.userNotFound }
        let count = try revokeSessions(of: user.key, at: now, reason: reason)
        try audit("session.revoked-all", of: user.localID, detail: ["sessions": .integer(Int64(count))])
        return count
    }
}
