package import BrokerStore
import Foundation
import Logging

/// Exchanges a refresh token for new tokens and its successor (RFC 9700 §4.14.2: rotation with reuse detection).
package struct Refresh: Sendable {
    let store: Store
    let tokens: TokenIssuer
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// - Throws: ``BrokerError/invalidRefreshToken`` for what this broker did not write or whose user is gone,
    ///   ``BrokerError/refreshTokenExpired`` for what no longer counts, ``BrokerError/userDisabled``.
    package func callAsFunction(
        _ text: String, origin: Origin
    ) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        guard let token = tokens.refreshTokens.decode(text) else { throw BrokerError.invalidRefreshToken }
        let now = Timestamp(now())
        let rotation = try await store.rotate(
            sessionID: token.sessionID, generation: token.generation, at: now,
            idleSince: now.advanced(by: .zero - SessionRules.idleLifetime),
            createdSince: now.advanced(by: .zero - SessionRules.absoluteLifetime))
        let facts: SessionFacts
        switch rotation {
        case .rotated(let rotated): facts = rotated
        case .notRotated(let found):
            facts = try await settle(token, found, at: now, origin)
        }
        return (facts, try await tokens.issue(facts, at: now))
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
