import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension ClientsCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a client and revoke all of its sessions.",
            discussion: """
                Takes effect at once, in running brokers too. Cannot be undone: an app that is added again gets a new
                id.

                Examples:
                  broker clients remove 4fJqW8…
                  broker clients remove 4fJqW8… --yes --json
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @Flag(name: .long, help: "Delete without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let count = try await options.withCore { core in
                    guard let found = try await core.openID.clients.client(id: client) else {
                        throw CommandFailure.clientNotFound
                    }
                    guard try yes || Confirmation.ask("Remove \(found.name) (\(found.id)) and end its sessions? [y/N] ")
                    else { throw CommandFailure(code: "NOT_CONFIRMED", "nothing was removed") }
                    return try await core.openID.clients.remove(id: client, origin: .commandLine())
                }
                guard let count else { throw CommandFailure.clientNotFound }
                output(
                    ["removed": .string(client), "sessionsEnded": .integer(Int64(count))],
                    text: "Removed \(client) and ended its sessions: \(count).")
            }
        }
    }
}
