import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "See a user's sessions, and end them.",
        subcommands: [List.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a user's sessions, oldest first.",
            discussion: """
                Only those that still count; with --all the others as well, each with its state: revoked, superseded (all
                of the user's were ended), expired, or suspended (the user is disabled).

                Examples:
                  broker sessions list ann@example.com
                  broker sessions list kX3… --all --json
                """)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @Flag(name: .long, help: "Also sessions that have ended.")
        var all = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let lines = try await options.withCore { core in
                    let user = try await core.user(named: user).user
                    let now = Timestamp(core.now())
                    return try await core.store.read { try $0.sessions(of: user.key) }
                        .map { SessionLine(session: $0, state: SessionState($0, of: user, at: now)) }
                        .filter { all || [.live, .suspended].contains($0.state) }
                }
                output(
                    ["sessions": .array(lines.map(\.document))],
                    text: lines.isEmpty ? "No sessions." : lines.map(\.text).joined(separator: "\n"))
            }
        }
    }
}

/// A session as the list shows it.
private struct SessionLine {
    let session: Session
    let state: SessionState

    private var lastUsed: Timestamp { session.rotatedAt ?? session.createdAt }

    var document: JSONValue {
        var object: JSONObject = [
            "id": .string(session.id), "family": .string(session.family.rawValue), "state": .string(state.rawValue),
            "provider": .string(session.signInProvider),
            "authTime": .integer(session.authTime), "createdAt": session.createdAt.document,
            "lastUsedAt": lastUsed.document,
        ]
        object["clientId"] = session.clientID.map(JSONValue.string)
        object["revokedAt"] = session.revokedAt?.document
        object["revokedReason"] = session.revokedReason.map(JSONValue.string)
        return .object(object)
    }

    var text: String {
        let reason = session.revokedReason.map { " (\($0))" } ?? ""
        return "\(session.id)  \(session.signInProvider)  since \(session.createdAt.text)  last used \(lastUsed.text)  "
            + "\(state.rawValue)\(reason)"
    }
}
