/// The outcome of the use of a refresh token.
package enum Rotation: Sendable, Hashable {
    /// The session is in its next generation; the facts are those after the change.
    case rotated(SessionFacts)
    /// No change. The session's state has the reason; nil if there is no such session.
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
    ///   - now: recorded as the session's last refresh.
    ///   - idleSince: A session that was last used before this moment is invalid.
    ///   - createdSince: A session that began before this moment is invalid.
    /// - Returns: The values of the next token, or the state that explains the refusal.
    /// - Throws: ``StoreError``.
    package func rotate(
        sessionID: String, generation: Int64, at now: Timestamp, idleSince: Timestamp, createdSince: Timestamp
    ) async throws -> Rotation {
        let answers = try await execute(
            Call(
                Session.rotation, .text(sessionID), .integer(generation), .time(now), .time(idleSince),
                .time(createdSince)),
            Call(Session.withUser, .text(sessionID)), Call(Session.identitiesOfUser, .text(sessionID)))
        guard var facts = try answers[1].first(SessionFacts.init(reading:)) else { return .notRotated(nil) }
        facts.identities = try answers[2].map(Identity.init(reading:))
        return answers[0].isEmpty ? .notRotated(facts) : .rotated(facts)
    }
}
