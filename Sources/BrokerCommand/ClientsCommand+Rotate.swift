import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension ClientsCommand {
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Rotate the secret of a confidential client.",
            discussion: """
                The new secret is printed once. The old secret stays valid for 24 hours, so that every server of the app
                can be updated. With --now it is revoked at once, which cannot be undone: use it when the secret may have
                leaked. Sessions stay valid.

                Examples:
                  broker clients rotate 4fJqW8…
                  broker clients rotate 4fJqW8… --now --yes --json
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @Flag(name: .long, help: "Revoke the old secret at once.")
        var now = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                if now {
                    try confirmation.requireIrreversible(
                        "Revoke the present secret of client \(client) at once?",
                        otherwise: "nothing was rotated")
                }
                try output(try await options.run(RotateClientSecret(client: client, now: now))) { $0.text }
            }
        }
    }
}
