import BrokerStore
import Logging

extension SessionContext {
    /// Renews a session by its refresh token: rotates the token with reuse detection (RFC 9700 §4.14.2), or leaves it
    /// as it is (Docs/Decisions/0016-stable-refresh-tokens.md).
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - refreshTokens: Whether refresh tokens of its family rotate.
    ///   - now: The moment.
    ///   - origin: The request.
    ///   - identities: What the answer has of the user's identities.
    /// - Returns: The session as it is afterwards; its generation is that of the refresh token to answer with.
    /// - Throws: ``BrokerError/invalidRefreshToken`` when the user is gone, ``BrokerError/refreshTokenExpired`` when
    ///   the session has ended, ``BrokerError/userDisabled``, or a store's error.
    func renewSession<Linked: SessionIdentity>(
        of token: RefreshToken, _ refreshTokens: Policy.RefreshTokens, at now: Timestamp, origin: Origin,
        with identities: Linked.Type
    ) async throws -> SessionView<Linked> {
        switch refreshTokens {
        case .stable: try await keep(token, at: now)
        case .rotating: try await rotate(token, at: now, origin)
        }
    }

    /// A session that waits for its client to accept a merge, as it will be live, for a refresh token of it that would
    /// renew it otherwise.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - now: The moment.
    ///   - origin: The request.
    /// - Returns: The session in its user's epoch.
    /// - Throws: As ``renewSession(of:_:at:origin:with:)``.
    func waitingSession(
        of token: RefreshToken, at now: Timestamp, origin: Origin
    ) async throws -> SessionView<Never> {
        var found = try await store.pointRead { try $0.session(id: token.sessionID, with: Never.self) }
        if let epoch = found?.session.epoch { found?.session.epoch = Session.waitingEpoch(of: epoch) }
        let facts = try usable(found, at: now)
        guard !SessionRules.rotating.hasExpired(facts.session, at: now) else { throw BrokerError.refreshTokenExpired }
        if token.generation == facts.session.generation { return facts }
        return try await accept(token, facts, at: now, origin)
    }

    /// Accepts the current generation for as long as the session lives. An older one was issued while tokens rotated: it
    /// is refused and ends nothing, since its holder need not have known of the switch.
    private func keep<Linked: SessionIdentity>(
        _ token: RefreshToken, at now: Timestamp
    ) async throws -> SessionView<Linked> {
        let found = try await store.pointRead { try $0.session(id: token.sessionID, with: Linked.self) }
        let facts = try usable(found, at: now)
        guard token.generation == facts.session.generation else { throw BrokerError.refreshTokenExpired }
        if facts.session.latestUse.advanced(by: SessionRules.useInterval) <= now {
            try await store.write(at: now) { try $0.recordUse(ofSession: token.sessionID, at: now) }
        }
        return facts
    }

    /// The facts of a session that was not ended.
    private func usable<Linked>(
        _ found: SessionView<Linked>?, at now: Timestamp
    ) throws(BrokerError) -> SessionView<Linked> {
        guard let found else { throw .invalidRefreshToken }
        // The rotation itself refuses sessions that have expired by age.
        try SessionState(found.session, of: found.user, at: now, nil).requireLive(or: .refreshTokenExpired)
        return found
    }

    private func rotate<Linked: SessionIdentity>(
        _ token: RefreshToken, at now: Timestamp, _ origin: Origin
    ) async throws -> SessionView<Linked> {
        let rotation = try await store.rotate(
            sessionID: token.sessionID, generation: token.generation, at: now,
            idleSince: now.advanced(by: .zero - SessionRules.idleLifetime),
            createdSince: now.advanced(by: .zero - SessionRules.absoluteLifetime), with: Linked.self)
        switch rotation {
        case .rotated(let facts): return facts
        case .notRotated(let found): return try await accept(token, found, at: now, origin)
        }
    }

    /// Accepts a token that did not rotate if it is the direct parent within its grace, and refuses any other.
    private func accept<Linked>(
        _ token: RefreshToken, _ found: SessionView<Linked>?, at now: Timestamp, _ origin: Origin
    ) async throws -> SessionView<Linked> {
        let found = try usable(found, at: now)
        let session = found.session
        guard token.generation < session.generation else { throw BrokerError.refreshTokenExpired }
        if token.generation == session.generation - 1, let rotatedAt = session.rotatedAt,
            rotatedAt.advanced(by: .zero - SessionRules.grace) <= now,
            now <= rotatedAt.advanced(by: SessionRules.grace)
        {
            return found
        }
        try await endReused(session, of: found.user, at: now, origin)
        throw BrokerError.refreshTokenExpired
    }

    /// Ends a session: a valid token of an older generation means that two parties hold it.
    private func endReused(
        _ session: Session, of user: User, at now: Timestamp, _ origin: Origin
    ) async throws {
        try await store.write(at: now, by: origin) { transaction in
            guard try transaction.revokeSession(id: session.id, at: now, reason: "refresh token reuse") else {
                return
            }
            try transaction.audit("session.reuse-detected", of: user.localID)
        }
        Logger.current.warning("refresh token reuse: session revoked", metadata: ["session": "\(session.id)"])
    }
}
