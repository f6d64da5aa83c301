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
            user is unlinked only with --force.

            Examples:
              broker unlink --provider github --user ann@example.com
              broker unlink --provider github.com --user kX3… --force --json
            """.paragraphs)

    @Option(name: .long, help: "The provider's id, or its kind if only one entry of plugins.json has that kind.")
    var provider: String

    @Option(name: .long, help: "localId or e-mail address of the user.")
    var user: String

    @Flag(name: .long, help: "Unlink even the last sign-in method.")
    var force = false

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let (id, outcome) = try await options.withCore(asksProviders: true) { core in
                let known = try await core.user(named: user)
                // Users may have identities of a provider that is no longer in plugins.json.
                let linked = known.identities.map(\.provider).first { $0.hasSameBytes(as: provider) }
                let id = try linked ?? core.providers.named(provider).id
                return (id, try await unlink(id, from: known.user.localID, core))
            }
            var document = JSONObject(outcome.record)
            document["withdrawals"] = outcome.withdrawals.document
            output(
                .object(document),
                text: "Unlinked \(id) from \(outcome.record.user.localID).\(outcome.withdrawals.text)")
        }
    }

    private func unlink(_ id: String, from localID: String, _ core: BrokerCore) async throws -> Unlink.Outcome {
        do {
            let outcome = try await core.unlink(
                provider: id, from: localID, leavesNoWayIn: force, origin: .commandLine())
            guard outcome.isUnlinked else {
                throw CommandFailure(code: "NO_SUCH_PROVIDER", "the user has no identity of \(id)")
            }
            return outcome
        } catch BrokerError.lastSignInMethod {
            throw CommandFailure(
                code: "LAST_SIGN_IN_METHOD",
                "this is the user's last sign-in method: link another provider first, or add --force")
        }
    }
}
