package import BrokerStore
import Foundation

/// Lists a user's sessions, newest first, one page at a time.
package struct ListSessions: Sendable {
    let store: Store
    let rules: SessionRules
    let now: @Sendable () -> Date

    /// How many sessions a page has when nothing else is said.
    package static let pageSize = 50

    /// Some of a user's sessions.
    package struct Page: Sendable {
        package let sessions: [(session: Session, state: SessionState)]
        /// The id after which the next page begins; nil on the last page.
        package let next: String?
    }

    /// - Parameters:
    ///   - user: The user.
    ///   - includesEnded: Whether sessions that were revoked, superseded or expired are listed too.
    ///   - cursor: The ``Page/next`` of the page before; nil for the first page.
    ///   - limit: How many sessions a page has at most.
    /// - Returns: The page.
    /// - Throws: A store's error.
    package func callAsFunction(
        of user: User, includingEnded includesEnded: Bool = false, after cursor: String? = nil,
        limit: Int = Self.pageSize
    ) async throws -> Page {
        let now = Timestamp(now())
        let filter = SessionFilter(
            userKey: user.key, includesEnded: includesEnded,
            idleSince: now.advanced(by: .zero - SessionRules.idleLifetime),
            createdSince: now.advanced(by: .zero - SessionRules.absoluteLifetime), ageless: rules.ageless)
        let limit = min(max(limit, 1), 1000)
        let found = try await store.read { try $0.sessions(filter, after: cursor, limit: limit + 1) }
        let page = found.prefix(limit)
        return Page(
            sessions: page.map { ($0, SessionState($0, of: user, at: now, rules)) },
            next: found.count > limit ? page.last?.id : nil)
    }
}
