import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension SessionsCommand {
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End one session, or everything a user was ever given.",
            discussion: """
                Takes effect at once, in running brokers too. With --user and --all the user's ID tokens end as well,
                whichever session they came from; a new sign-in lives.

                Examples:
                  broker sessions revoke 4fJq…
                  broker sessions revoke --user ann@example.com --all
                """.paragraphs)

        @Argument(help: "The session's id, as `broker sessions list` shows it.")
        var session: String?

        @Option(name: .long, help: "localId or e-mail address of the user whose sessions end.")
        var user: String?

        @Flag(name: .long, help: "End all sessions of the user.")
        var all = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (session == nil) == (user != nil), all == (user != nil) else {
                throw ValidationError("Give either a session's id, or --user with --all.")
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
                throw CommandFailure(code: "SESSION_NOT_FOUND", "there is no such session, or it has ended already")
            }
            return 1
        }
    }
}
