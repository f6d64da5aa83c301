package import BrokerStore
import ProviderKit

/// `sessions.list`: a user's sessions, newest first, one page at a time.
package struct ListUserSessions: AdminOperation {
    private static let limits = DeclaredLimit(
        "The maximum number of sessions, 1 to 1000.", standard: SessionPage.standardSize)

    package static let declaration = OperationDeclaration(
        "sessions.list", "Lists a user's sessions, newest first.", .readUsers, .reads,
        [
            .user,
            .option("all", "Include sessions that are not valid."),
            limits.argument,
            .option("after", "List the sessions after the one with this id."),
        ],
        command: DeclaredCommand(
            "list", "List a user's sessions, newest first.",
            """
            Lists valid sessions. --all includes the others, each with its state: revoked, superseded (all sessions
            of the user were revoked), expired, or suspended (the user is disabled). When there are more than
            --limit, the last line shows the option for the next page.

            Examples:
              broker sessions list ann@example.com
              broker sessions list kX3… --all --limit 200 --json
            """))

    let user: String
    let all: Bool?
    let after: String?
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "sessions": "The sessions, newest first.", "next": "The `after` of the next page; absent on the last one.",
        ]

        package let sessions: [SessionAnswer]
        package let next: String?
    }

    /// A session.
    package struct SessionAnswer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "The session's id.",
            "app": "The name of the app.",
            "family": "`identity-toolkit`, `oauth` or `web`.",
            "state": "`live`, `revoked`, `superseded`, `expired` or `suspended`.",
            "provider": "The provider of the sign-in.",
            "authTime": "The time of the sign-in in seconds since 1970.",
            "createdAt": "When the session began.",
            "lastUsedAt": "When it was used last.",
            "clientId": "The OAuth client.",
            "device": "The program and the system of the last use.",
            "revokedAt": "When it was revoked.",
            "revokedReason": "Why it was revoked.",
        ]

        package let id: String
        package let app: String
        package let family: String
        package let state: String
        package let provider: String
        package let authTime: Int64
        package let createdAt: Timestamp
        package let lastUsedAt: Timestamp
        package let clientId: String?
        package let device: String?
        package let revokedAt: Timestamp?
        package let revokedReason: String?
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let user = try await call.admin.user(named: user).user
        let page = try await call.admin.sessions.listSessions(
            of: user, includingEnded: all ?? false, after: after, limit: limit)
        let apps = AppNames(
            clients: try await call.admin.openID.clients.names(), project: call.admin.configuration.project.id)
        return Answer(
            sessions: page.sessions.map { SessionAnswer($0, $1, app: apps.name(of: $0)) }, next: page.next)
    }

    package func text(of answer: Answer) -> TerminalText {
        let more: TerminalText = answer.next.map { "\nThere are more: add --after \($0)" } ?? ""
        let table = Table<SessionAnswer>(
            .init("SESSION") { $0.id }, .init("APP", mayBeCut: true) { $0.app },
            .init("PROVIDER", mayBeCut: true) { $0.provider }, .init("SINCE (UTC)") { $0.createdAt.minuteText },
            .init("LAST USED (UTC)") { $0.lastUsedAt.minuteText },
            .init("STATE") { session in session.revokedReason.map { "\(session.state) (\($0))" } ?? session.state })
        return answer.sessions.isEmpty ? "No sessions." : "\(table.text(answer.sessions))\(more)"
    }
}

extension ListUserSessions.SessionAnswer {
    fileprivate init(_ session: Session, _ state: SessionState, app: String) {
        self.init(
            id: session.id, app: app, family: session.family.rawValue, state: state.rawValue,
            provider: session.signInProvider, authTime: session.authTime, createdAt: session.createdAt,
            lastUsedAt: session.latestUse, clientId: session.clientID,
            device: UserAgentName(session.userAgent)?.text, revokedAt: session.revokedAt,
            revokedReason: session.revokedReason)
    }
}

/// The names of the apps that sessions belong to.
private struct AppNames {
    let clients: [String: String]
    let project: String

    /// An OAuth client's name, or its id when the client was deleted; the project for apps of Identity Toolkit.
    func name(of session: Session) -> String {
        switch session.family {
        case .web: "account pages"
        case .identityToolkit: project
        case .oauth: session.clientID.map { clients[$0] ?? $0 } ?? project
        }
    }
}
