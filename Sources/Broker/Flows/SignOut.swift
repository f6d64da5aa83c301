import BrokerStore
import Foundation

/// Ends one session, or all of a user's; at once, for every credential they gave out.
package struct SignOut: Sendable {
    let verifier: IDTokenVerifier
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    package enum Scope: String, Sendable {
        case session, all
    }

    /// - Throws: ``BrokerError`` in the order of contract §5.3.
    package func callAsFunction(_ idToken: String, _ scope: Scope, origin: Origin) async throws {
        let date = now()
        let now = Timestamp(date)
        let facts = try await verifier.session(behind: idToken, at: now)
        let auditKey = keys.next(at: date)
        try await store.write { transaction in
            switch scope {
            case .session: _ = try transaction.revokeSession(id: facts.session.id, at: now, reason: "sign-out")
            case .all:
                _ = try transaction.bumpEpoch(userKey: facts.user.key, validSince: now.seconds)
                _ = try transaction.revokeSessions(of: facts.user.key, at: now, reason: "sign-out of all")
            }
            try transaction.append(
                AuditEntry(
                    key: auditKey, at: now, actorKind: .user, actor: facts.user.localID,
                    event: scope == .all ? "session.signed-out-all" : "session.signed-out",
                    localID: facts.user.localID, provider: nil, subjectHash: nil, requestID: origin.requestID,
                    detail: "{}"))
        }
    }
}
