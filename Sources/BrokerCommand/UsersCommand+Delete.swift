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

                The id of a user who was merged into another one deletes what is left of it: its snapshot, after which
                the merge cannot be undone, and the id. The other user stays.

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
                if let alias = try await deleteAlias() {
                    output(
                        ["deleted": ["localId": .string(alias)]],
                        text: "Deleted what was left of \(alias).")
                    return
                }
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

        /// Deletes what is left of a user who was merged into another one.
        ///
        /// - Returns: The local id; nil if the name is of no such user.
        private func deleteAlias() async throws -> String? {
            try await options.withCore { core in
                guard let survivor = try await core.explain.survivor(of: user) else { return nil }
                let question: TerminalText =
                    "Delete what is left of user \(user)? Its merge into \(survivor) cannot be undone then. [y/N] "
                guard try yes || Confirmation.ask(question) else {
                    throw CommandFailure(code: "NOT_CONFIRMED", "nothing was deleted")
                }
                try await core.deleteAccount(localID: user, origin: .commandLine())
                return user
            }
        }
    }
}
