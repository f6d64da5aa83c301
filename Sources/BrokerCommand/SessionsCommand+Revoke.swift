import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension SessionsCommand {
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke one session, or all sessions and ID tokens of a user.",
            discussion: """
                Takes effect at once, in running brokers too. --user with --all also revokes the user's ID tokens of all
                sessions, asks first and cannot be undone; later sign-ins are not affected.

                Examples:
                  broker sessions revoke 4fJq…
                  broker sessions revoke --user ann@example.com --all
                  broker sessions revoke --user ann@example.com --all --yes --json
                """.paragraphs)

        @Argument(help: RevokeSession.help("session"))
        var session: String?

        @Option(name: .long, help: RevokeUserSessions.help("user"))
        var user: String?

        @Flag(name: .long, help: "Revoke all sessions of the user.")
        var all = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (session == nil) == (user != nil), all == (user != nil) else {
                throw ValidationError("Pass either a session's id, or --user with --all.")
            }
        }

        func run() async throws {
            try await output.reporting {
                let answer =
                    if let session {
                        try await options.run(RevokeSession(session: session))
                    } else {
                        try await revokeAll(of: user ?? "")
                    }
                try output(answer) { $0.revoked == 1 ? "Ended one session." : "Ended \($0.revoked) sessions." }
            }
        }

        private func revokeAll(of user: String) async throws -> RevokeUserSessions.Answer {
            try confirmation.requireIrreversible(
                "Revoke all sessions and ID tokens of user \(user)?", otherwise: "nothing was revoked")
            return try await options.run(RevokeUserSessions(user: user))
        }
    }
}
