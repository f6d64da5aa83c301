package import BrokerStore
import ProviderKit

/// `sessions.list`: a user's sessions, newest first, one page at a time.
package struct ListUserSessions: AdminOperation {
    package static let name = "sessions.list"
    package static let summary = "Lists a user's sessions, newest first."
    package static let scope: AdminScope? = .readUsers

    /// A localId or an e-mail address.
    let user: String
    /// Whether sessions that are not valid are included.
    let all: Bool?
    /// The id of the session after which the page begins.
    let after: String?
    /// The maximum number of sessions, 1 to 1000; 50 when absent.
    let limit: Int?

    package struct Answer: Codable, Sendable {
        package let sessions: [SessionAnswer]
        /// The `after` of the next page; nil on the last one.
        package let next: String?
    }

    /// A session.
    package struct SessionAnswer: Codable, Sendable {
        package let id: String
        /// The name of the app.
        package let app: String
        package let family: String
        package let state: String
        package let provider: String
        /// Seconds since 1970.
        package let authTime: Int64
        package let createdAt: Timestamp
        package let lastUsedAt: Timestamp
        package let clientId: String?
        package let revokedAt: Timestamp?
        package let revokedReason: String?
    }

    package init(user: String, all: Bool, after: String?, limit: Int) {
        self.user = user
        self.all = all
        self.after = after
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try AdminContext.checked(limit: limit, standard: SessionPage.standardSize)
        let user = try await call.admin.user(named: user).user
        let page = try await call.admin.sessions.listSessions(
            of: user, includingEnded: all ?? false, after: after, limit: limit)
        let apps = AppNames(
            try await call.admin.openID.clients.all(), project: call.admin.configuration.project.id)
        return Answer(
            sessions: page.sessions.map { SessionAnswer($0, $1, app: apps.name(of: $0)) }, next: page.next)
    }
}

extension ListUserSessions.SessionAnswer {
    fileprivate init(_ session: Session, _ state: SessionState, app: String) {
        self.init(
            id: session.id, app: app, family: session.family.rawValue, state: state.rawValue,
            provider: session.signInProvider, authTime: session.authTime, createdAt: session.createdAt,
            lastUsedAt: session.latestUse, clientId: session.clientID, revokedAt: session.revokedAt,
            revokedReason: session.revokedReason)
    }
}

/// The names of the apps that sessions belong to.
private struct AppNames {
    private let clients: [String: String]
    private let project: String

    init(_ clients: [Client], project: String) {
        self.clients = Dictionary(clients.map { ($0.id, $0.name) }) { first, _ in first }
        self.project = project
    }

    /// An OAuth client's name, or its id when the client was deleted; the project for apps of Identity Toolkit.
    func name(of session: Session) -> String {
        switch session.family {
        case .web: "account pages"
        case .identityToolkit: project
        case .oauth: session.clientID.map { clients[$0] ?? $0 } ?? project
        }
    }
}
