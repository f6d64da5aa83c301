import ArgumentParser
import Broker
import ProviderKit

extension ProvidersCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add an entry to the store.",
            discussion: """
                The id decides the type where --type is absent: github.com, gitlab.com, apple.com and 1pass.dev, and
                oidc.<name> or oauth2.<name> for any other provider. The client's secret is read from a file, from
                standard input (-) or at the terminal; for apple it is the .p8 file. It is sealed in the store and never
                shown again.

                The command prints the redirect URI to register at the provider. Further options of the type are set with
                --option; Docs/Providers.md lists them. --allow-insecure-loopback and --private-network are accepted on
                the broker's host only.

                Examples:
                  broker providers add github.com --client-id Ov23li… \\
                    --secret-file github-secret
                  broker providers add oidc.keycloak --issuer https://id.example/realms/a \\
                    --client-id broker --prompt-secret
                  broker providers add apple.com --secret-file AuthKey_ABC1234567.p8 \\
                    --option teamId=DEF1234567 --option keyId=ABC1234567 \\
                    --option 'clientIds=["com.example.app"]'
                """.paragraphs)

        @Argument(help: "The id of the new entry: the providerId that apps send.")
        var id: String

        @Option(name: .long, help: "The plugin: github, gitlab, apple, 1pass, oidc, oauth2, or one of this build.")
        var type: String?

        @Flag(name: .long, help: "Add it disabled.")
        var disabled = false

        @OptionGroup var entry: ProviderEntryOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let use = try use()
                var document = try entry.changes(use: use)
                document["id"] = .string(id)
                document["use"] = .string(use)
                document["enabled"] = .bool(!disabled)
                let answer = try await options.run(AddProvider(entry: document))
                try output(answer) { Self.text($0.provider) }
            }
        }

        private func use() throws(CommandFailure) -> String {
            if let type { return type }
            if let plugin = BrokerProgram.plugins.first(where: { $0.publicInstance?.id.hasSameBytes(as: id) ?? false })
            {
                return plugin.kind.rawValue
            }
            if let prefix = ["oidc", "oauth2"].first(where: { id.hasPrefix($0 + ".") }) { return prefix }
            throw CommandFailure(
                code: "MISSING_TYPE", "the id \(id) does not tell the type: add --type", exitCode: .validationFailure)
        }

        private static func text(_ provider: ListProviders.ProviderAnswer) -> TerminalText {
            """
            Added \(provider.id), \(provider.enabled ? "enabled" : "disabled"). Register this redirect URI at the provider:
              \(provider.redirectUri)
            Then check it: broker providers check \(provider.id)
            """
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Change an entry of the store, such as its secret.",
            discussion: """
                What no option names stays. Its id and its type cannot be changed. An entry of plugins.json is changed in
                the file.

                Examples:
                  broker providers update github.com --secret-file new-secret
                  broker providers update oidc.keycloak --display-name "Acme" --trust-email true
                """.paragraphs)

        @Argument(help: "The provider's id.")
        var id: String

        @OptionGroup var entry: ProviderEntryOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let changes = try entry.changes(use: id == "apple.com" || id.hasPrefix("apple.") ? "apple" : nil)
                guard !changes.isEmpty else {
                    throw CommandFailure(
                        code: "NO_CHANGE", "nothing to change: add an option, see --help", exitCode: .validationFailure)
                }
                let answer = try await options.run(UpdateProvider(id: id, changes: changes))
                try output(answer) { _ in "Updated \(id)." }
            }
        }
    }
}
