import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension ClientsCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete a client and revoke all of its sessions.",
            discussion: """
                Takes effect at once, in running brokers too. Cannot be undone: an app that is added again gets a new
                id.

                Examples:
                  broker clients remove 4fJqW8…
                  broker clients remove 4fJqW8… --yes --json
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let answer = try await options.withExecutor { run in
                    if !confirmation.yes {
                        let found = try await run(ShowClient(client: client)).client
                        try confirmation.require(
                            "Remove \(found.name) (\(found.clientId)) and end its sessions? [y/N] ",
                            otherwise: "nothing was removed")
                    }
                    return try await run(RemoveClient(client: client))
                }
                try output(answer) { "Removed \($0.removed) and ended its sessions: \($0.sessionsEnded)." }
            }
        }
    }
}
