package import BrokerStore
import JOSE

extension SessionContext {
    /// Exchanges a refresh token for new tokens and its successor.
    ///
    /// - Parameters:
    ///   - text: The refresh token.
    ///   - origin: The request.
    ///   - review: Looks at the session before tokens are issued for it, and answers with the session they are issued for.
    /// - Returns: The session with its tokens.
    /// - Throws: What `review` throws; ``BrokerError/invalidRefreshToken`` for a token of no broker on this store, or whose
    ///   user is gone, ``BrokerError/refreshTokenExpired`` when the session has ended, ``BrokerError/userDisabled``.
    package func refresh(
        _ text: String, origin: Origin,
        review: (SessionView<TokenIdentity>) async throws -> SessionView<TokenIdentity> = { $0 }
    ) async throws -> (facts: SessionView<TokenIdentity>, tokens: IssuedTokens) {
        try await FlowMetrics.counting(.refresh) { try await refreshed(text, origin, review) }
    }

    private func refreshed(
        _ text: String, _ origin: Origin,
        _ review: (SessionView<TokenIdentity>) async throws -> SessionView<TokenIdentity>
    ) async throws -> (facts: SessionView<TokenIdentity>, tokens: IssuedTokens) {
        guard let token = tokens.refreshTokens.decode(text) else { throw BrokerError.invalidRefreshToken }
        let (now, admission) = (now, RequestAdmission.current)
        try admission?.checkRefresh(of: token.sessionID)
        let rotated = try await RequestAdmission.look(behind: TokenDigest(of: text), answeredAsForged: true, at: now) {
            try await renewSession(
                of: token, rules.refreshTokens, at: now, origin: origin, with: TokenIdentity.self)
        }
        admission?.prove(refreshOf: token.sessionID)
        var facts = try await review(rotated)
        if facts.mayHaveNotices {
            facts = try await store.write(at: now) { [facts] in try $0.withNotices(facts) }
        }
        return (facts, try await tokens.issue(facts, at: now))
    }
}
