/// What became of the attempt to use a refresh token.
package enum Rotation: Sendable, Hashable {
    /// The session is in its next generation; the facts are those after the change.
    case rotated(SessionFacts)
    /// Nothing was changed. The facts, as they are, tell why; nil if there is no such session.
    case notRotated(SessionFacts?)
}

extension Store {
    /// Moves a session from `generation` to the next one, if that is its current one and it may go on living.
    ///
    /// Of any number of concurrent calls with one generation, exactly one rotates.
    ///
    /// - Parameters:
    ///   - sessionID: the session's public id.
    ///   - generation: the generation of the refresh token that was presented.
    ///   - now: recorded as the session's and the user's last refresh.
    ///   - idleSince: a session not used since before this moment is dead.
    ///   - createdSince: a session that began before this moment is dead.
    /// - Returns: what the next token needs, or what there is to judge why there must not be one.
    /// - Throws: ``StoreError``.
    package func rotate(
        sessionID: String, generation: Int64, at now: Timestamp, idleSince: Timestamp, createdSince: Timestamp
    ) async throws -> Rotation {
        try await write { tx in
            let rows = try tx.run(
                SessionStatements.rotate, .text(sessionID), .integer(generation), .time(now), .time(idleSince),
                .time(createdSince))
            guard var row = rows.first else { return .notRotated(try tx.sessionFacts(id: sessionID)) }
            return .rotated(try tx.factsAfterRefresh(of: Session(reading: &row), at: now))
        }
    }
}

extension Transaction {
    fileprivate func factsAfterRefresh(of session: Session, at now: Timestamp) throws(StoreError) -> SessionFacts {
        guard var row = try run(UserStatements.recordRefresh, .integer(session.userKey), .time(now)).first else {
            throw StoreError(.corrupt, "a session has no user")
        }
        let user = try User(reading: &row)
        return SessionFacts(session: session, user: user, identities: try identities(of: user.key))
    }
}
