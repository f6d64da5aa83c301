import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension SessionsCommand {
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one session, or all sessions and ID tokens of a user.",
            discussion: """
                Takes effect at once, in running brokers too. --user with --all also revokes the user's ID tokens of all
                sessions; later sign-ins are not affected.

                Examples:
                  broker sessions revoke 4fJq…
                  broker sessions revoke --user ann@example.com --all
                """.paragraphs)

        @Argument(help: "The session's id, shown by `broker sessions list`.")
        var session: String?

        @Option(name: .long, help: "localId or e-mail address of the user.")
        var user: String?

        @Flag(name: .long, help: "Revoke all sessions of the user.")
        var all = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (session == nil) == (user != nil), all == (user != nil) else {
                throw ValidationError("Pass either a session's id, or --user with --all.")
            }
        }

        func run() async throws {
            try await output.reporting {
                let count = try await options.withCore { core in
                    if let session { return try await revoke(session, core) }
                    let localID = try await core.user(named: user ?? "").user.localID
                    return try await core.revokeSessions(allOf: localID, origin: .commandLine())
                }
                output(
                    ["revoked": .integer(Int64(count))],
                    text: count == 1 ? "Ended one session." : "Ended \(count) sessions.")
            }
        }

        private func revoke(_ session: String, _ core: BrokerCore) async throws -> Int {
            guard try await core.revokeSessions(session: session, origin: .commandLine()) else {
                throw CommandFailure(code: "SESSION_NOT_FOUND", "there is no such session, or it is already revoked")
            }
            return 1
        }
    }
}
