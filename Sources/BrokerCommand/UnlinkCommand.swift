import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct UnlinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Unlink a provider's identity from a user.",
        discussion: """
            The identity's provider tokens are deleted as well, and the running broker revokes the grant at the provider:
            `broker withdrawals show` tells the outcome of a receipt. Under the strict policy the last sign-in method of a
            user is unlinked only with --force. Cannot be undone: only the user can link the identity again.

            Examples:
              broker unlink --provider github --user ann@example.com
              broker unlink --provider github.com --user kX3… --force --yes --json
            """.paragraphs)

    @Option(name: .long, help: "The provider's id, or its kind if only one entry of plugins.json has that kind.")
    var provider: String

    @Option(name: .long, help: "localId or e-mail address of the user.")
    var user: String

    @Flag(name: .long, help: "Unlink even the last sign-in method.")
    var force = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: AdministrationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            try confirmation.requireIrreversible(
                "Unlink \(provider) from user \(user) and delete its provider tokens?",
                otherwise: "nothing was unlinked")
            let answer = try await options.run(UnlinkIdentity(provider: provider, user: user, force: force))
            try output(answer) { answer in
                let receipts = answer["withdrawals"]?.array ?? []
                let id = receipts.first?["providerId"]?.string ?? provider
                return "Unlinked \(id) from \(answer["localId"]?.string ?? user).\(receipts.withdrawalText)"
            }
        }
    }
}
