/// The outcome of the use of a refresh token.
package enum Rotation<Linked: SessionIdentity>: Sendable, Hashable {
    /// The session is in its next generation; the facts are those after the change.
    case rotated(SessionView<Linked>)
    /// No change. The session's state has the reason; nil if there is no such session.
    case notRotated(SessionView<Linked>?)
}

extension Store {
    /// Moves a session from `generation` to the next one, if that is its current one and it may go on living.
    ///
    /// Of any number of concurrent calls with one generation, exactly one rotates.
    ///
    /// - Parameters:
    ///   - sessionID: the session's public id.
    ///   - generation: the generation of the refresh token that was presented.
    ///   - now: recorded as the session's last refresh.
    ///   - idleSince: A session that was last used before this moment is invalid.
    ///   - createdSince: A session that began before this moment is invalid.
    ///   - identities: What the answer has of the user's identities.
    /// - Returns: The values of the next token, or the state that explains the refusal.
    /// - Throws: ``StoreError``.
    @specialized(where Linked == TokenIdentity)
    package func rotate<Linked: SessionIdentity>(
        sessionID: String, generation: Int64, at now: Timestamp, idleSince: Timestamp, createdSince: Timestamp,
        with identities: Linked.Type = Identity.self
    ) async throws -> Rotation<Linked> {
        try await execute(
            Call(
                Session.rotation, .text(sessionID), .integer(generation), .time(now), .time(idleSince),
                .time(createdSince)),
            Call(Linked.ofSession, .text(sessionID))
        ) { answers throws(StoreError) in
            let isRotated = try answers.next() > 0
            var rows = SessionRows<Linked>()
            try answers.next { row throws(StoreError) in try rows.read(&row) }
            guard isRotated, let view = rows.view else { return .notRotated(rows.view) }
            return .rotated(view)
        }
    }
}
