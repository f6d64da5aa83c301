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
            commandName: "list", abstract: "List a user's sessions, newest first.",
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
        var limit = 50

        @Option(name: .long, help: "List the sessions after the one with this id.")
        var after: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(
                    ListUserSessions(user: user, all: all, after: after, limit: limit))
                try output(answer) { answer in
                    let more: TerminalText = answer.next.map { "\nThere are more: add --after \($0)" } ?? ""
                    return answer.sessions.isEmpty ? "No sessions." : "\(Self.table.text(answer.sessions))\(more)"
                }
            }
        }

        private static var table: Table<ListUserSessions.SessionAnswer> {
            Table(
                Table.Column("SESSION") { $0.id },
                Table.Column("APP", mayBeCut: true) { $0.app },
                Table.Column("PROVIDER", mayBeCut: true) { $0.provider },
                Table.Column("SINCE (UTC)") { $0.createdAt.minute },
                Table.Column("LAST USED (UTC)") { $0.lastUsedAt.minute },
                Table.Column("STATE") { session in
                    session.revokedReason.map { "\(session.state) (\($0))" } ?? session.state
                })
        }
    }
}
