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
                switch try await options.withCore(delete) {
                case .alias(let localID):
                    output(
                        ["deleted": ["localId": .string(localID)]],
                        text: "Deleted what was left of \(localID).")
                case .user(let record, let receipts):
                    output(
                        ["deleted": .object(JSONObject(record)), "withdrawals": receipts.document],
                        text: """
                            Deleted \(record.user.localID) (\(record.user.email ?? "no e-mail")).\(receipts.text)
                            """)
                }
            }
        }

        private enum Deleted {
            /// What was left of a user who was merged into another one.
            case alias(String)
            case user(UserRecord, [WithdrawalReceipt])
        }

        private func delete(in core: BrokerCore) async throws -> Deleted {
            if let survivor = try await core.explain.survivor(of: user) {
                try confirm(
                    "Delete what is left of user \(user)? Its merge into \(survivor) cannot be undone then. [y/N] ")
                try await core.deleteAccount(localID: user, origin: .commandLine())
                return .alias(user)
            }
            let record = try await core.user(named: user)
            let found = record.user
            try confirm("Delete user \(found.localID) (\(found.email ?? "no e-mail")) for good? [y/N] ")
            return .user(record, try await core.deleteAccount(localID: found.localID, origin: .commandLine()))
        }

        private func confirm(_ question: TerminalText) throws {
            guard try yes || Confirmation.ask(question) else {
                throw CommandFailure(code: "NOT_CONFIRMED", "nothing was deleted")
            }
        }
    }
}
