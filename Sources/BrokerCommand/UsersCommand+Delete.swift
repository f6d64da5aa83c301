import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension UsersCommand {
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a user with all identities, sessions and provider tokens.",
            discussion: """
                Cannot be undone; `broker users disable` can. The audit log keeps the user's history. A later sign-in
                with the same identity creates a new user.

                The running broker revokes the user's grants at their providers. `broker withdrawals show` tells the
                outcome of each receipt.

                Examples:
                  broker users delete ann@example.com
                  broker users delete kX3… --yes --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @Flag(name: .long, help: "Delete without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (deleted, receipts) = try await options.withCore { core in
                    let record = try await core.user(named: user)
                    let user = record.user
                    let question: TerminalText =
                        "Delete user \(user.localID) (\(user.email ?? "no e-mail")) for good? [y/N] "
                    guard try yes || Confirmation.ask(question) else {
                        throw CommandFailure(code: "NOT_CONFIRMED", "nothing was deleted")
                    }
                    return (record, try await core.deleteAccount(localID: user.localID, origin: .commandLine()))
                }
                output(
                    ["deleted": .object(JSONObject(deleted)), "withdrawals": receipts.document],
                    text: """
                        Deleted \(deleted.user.localID) (\(deleted.user.email ?? "no e-mail")).\(receipts.text)
                        """)
            }
        }
    }
}
