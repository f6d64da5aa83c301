import ArgumentParser
import Broker
import ProviderKit

extension UsersCommand {
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a user with all identities, sessions and provider tokens.",
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

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let answer = try await options.withExecutor { run in
                    if !confirmation.yes { try confirm(try await run(ShowUser(user: user))) }
                    return try await run(DeleteUser(user: user))
                }
                try output(answer) { answer in
                    guard let withdrawals = answer.withdrawals else {
                        return "Deleted what was left of \(answer.deleted["localId"]?.string ?? "")."
                    }
                    return "Deleted \(answer.deleted.userLabel).\(withdrawals.text)"
                }
            }
        }

        private func confirm(_ found: JSONObject) throws {
            let question: TerminalText =
                if let survivor = found["broker"]?["mergedInto"]?.string {
                    "Delete what is left of user \(user)? Its merge into \(survivor) cannot be undone then. [y/N] "
                } else {
                    "Delete user \(found.userLabel) for good? [y/N] "
                }
            try confirmation.require(question, otherwise: "nothing was deleted")
        }
    }
}
