package import BrokerStore

/// Some of a user's sessions.
package struct SessionPage: Sendable {
    package let sessions: [(session: Session, state: SessionState)]
    /// The id after which the next page begins; nil on the last page.
    package let next: String?

    /// How many sessions a page has when nothing else is said.
    package static let standardSize = 50
}

extension SessionContext {
    /// Lists a user's sessions, newest first, one page at a time.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - includesEnded: Whether sessions that were revoked, superseded or expired are listed too.
    ///   - cursor: The ``SessionPage/next`` of the page before; nil for the first page.
    ///   - limit: How many sessions a page has at most.
    /// - Returns: The page.
    /// - Throws: A store's error.
    package func listSessions(
        of user: User, includingEnded includesEnded: Bool = false, after cursor: String? = nil,
        limit: Int = SessionPage.standardSize
    ) async throws -> SessionPage {
        let now = now
        let filter = SessionFilter(
            userKey: user.key, includesEnded: includesEnded,
            idleSince: now.advanced(by: .zero - SessionRules.idleLifetime),
            createdSince: now.advanced(by: .zero - SessionRules.absoluteLifetime), ageless: rules.ageless)
        let limit = min(max(limit, 1), 1000)
        let found = try await store.read { try $0.sessions(filter, after: cursor, limit: limit + 1) }
        let page = found.prefix(limit)
        return SessionPage(
            sessions: page.map { ($0, SessionState($0, of: user, at: now, rules)) },
            next: found.count > limit ? page.last?.id : nil)
    }
}
