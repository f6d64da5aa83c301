import BrokerStore
import Foundation
import Logging

/// Moves a session on to its next refresh token (RFC 9700 §4.14.2: rotation with reuse detection), whoever's it is.
package struct SessionRotation: Sendable {
    let store: Store
    let keys: KeyGenerator

    /// - Throws: ``BrokerError/invalidRefreshToken`` when the user is gone, ``BrokerError/refreshTokenExpired`` for what
    ///   no longer counts, ``BrokerError/userDisabled``, or a store's error.
    func callAsFunction(_ token: RefreshToken, at now: Timestamp, origin: Origin) async throws -> SessionFacts {
        let rotation = try await store.rotate(
            sessionID: token.sessionID, generation: token.generation, at: now,
            idleSince: now.advanced(by: .zero - SessionRules.idleLifetime),
            createdSince: now.advanced(by: .zero - SessionRules.absoluteLifetime))
        switch rotation {
        case .rotated(let facts): return facts
        case .notRotated(let found): return try await settle(token, found, at: now, origin)
        }
    }

    /// What became of a token that did not rotate: the direct parent in its grace, or a refusal.
    private func settle(
        _ token: RefreshToken, _ found: SessionFacts?, at now: Timestamp, _ origin: Origin
    ) async throws -> SessionFacts {
        guard let found else { throw BrokerError.invalidRefreshToken }
        let session = found.session
        guard session.revokedAt == nil, session.epoch == found.user.epoch else { throw BrokerError.refreshTokenExpired }
        guard !found.user.isDisabled else { throw BrokerError.userDisabled }
        guard token.generation < session.generation else { throw BrokerError.refreshTokenExpired }
        if token.generation == session.generation - 1, let rotatedAt = session.rotatedAt,
            rotatedAt.advanced(by: .zero - SessionRules.grace) <= now,
            now <= rotatedAt.advanced(by: SessionRules.grace)
        {
            return found
        }
        try await kill(found, at: now, origin)
        throw BrokerError.refreshTokenExpired
    }

    /// A genuine token of an older generation means that two parties hold this session: neither keeps it.
    private func kill(_ found: SessionFacts, at now: Timestamp, _ origin: Origin) async throws {
        let auditKey = keys.next(at: now.date)
        try await store.write { transaction in
            guard try transaction.revokeSession(id: found.session.id, at: now, reason: "refresh token reuse") else {
                return
            }
            try transaction.append(
                AuditEntry(
                    key: auditKey, at: now, actorKind: origin.actorKind, actor: origin.actor,
                    event: "session.reuse-detected", localID: found.user.localID, provider: nil, subjectHash: nil,
                    requestID: origin.requestID, detail: "{}"))
        }
        Logger.current.warning("refresh token reuse: session revoked", metadata: ["session": "\(found.session.id)"])
    }
}
