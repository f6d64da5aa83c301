import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and revoke a user's sessions.",
        subcommands: [List.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a user's sessions, newest first.",
            discussion: """
                Lists valid sessions. --all includes the others, each with its state: revoked, superseded (all sessions
                of the user were revoked), expired, or suspended (the user is disabled). When there are more than
                --limit, the last line shows the option for the next page.

                Examples:
                  broker sessions list ann@example.com
                  broker sessions list kX3… --all --limit 200 --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @Flag(name: .long, help: "Include sessions that are not valid.")
        var all = false

        @Option(name: .long, help: "The maximum number of sessions, 1 to 1000.")
        var limit = ListSessions.pageSize

        @Option(name: .long, help: "List the sessions after the one with this id.")
        var after: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let (lines, next) = try await options.withCore { core in
                    let user = try await core.user(named: user).user
                    let page = try await core.listSessions(of: user, includingEnded: all, after: after, limit: limit)
                    let apps = AppNames(try await core.openID.clients.all(), project: core.configuration.project.id)
                    let lines = page.sessions.map { SessionLine(session: $0, state: $1, app: apps.name(of: $0)) }
                    return (lines, page.next)
                }
                var document: JSONObject = ["sessions": .array(lines.map(\.document))]
                document["next"] = next.map(JSONValue.string)
                let more: TerminalText = next.map { "\nThere are more: add --after \($0)" } ?? ""
                output(
                    .object(document),
                    text: lines.isEmpty ? "No sessions." : "\(SessionLine.table.text(lines))\(more)")
            }
        }
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

/// A row of the session list.
private struct SessionLine {
    let session: Session
    let state: SessionState
    let app: String

    var document: JSONValue {
        var object: JSONObject = [
            "id": .string(session.id), "app": .string(app), "family": .string(session.family.rawValue),
            "state": .string(state.rawValue), "provider": .string(session.signInProvider),
            "authTime": .integer(session.authTime), "createdAt": session.createdAt.document,
            "lastUsedAt": session.latestUse.document,
        ]
        object["clientId"] = session.clientID.map(JSONValue.string)
        object["revokedAt"] = session.revokedAt?.document
        object["revokedReason"] = session.revokedReason.map(JSONValue.string)
        return .object(object)
    }

    static var table: Table<SessionLine> {
        Table(
            Table.Column("SESSION") { $0.session.id },
            Table.Column("APP", mayBeCut: true) { $0.app },
            Table.Column("PROVIDER", mayBeCut: true) { $0.session.signInProvider },
            Table.Column("SINCE (UTC)") { $0.session.createdAt.minute },
            Table.Column("LAST USED (UTC)") { $0.session.latestUse.minute },
            Table.Column("STATE") { line in
                line.session.revokedReason.map { "\(line.state.rawValue) (\($0))" } ?? line.state.rawValue
            })
    }
}
