import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension ClientsCommand {
    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Update a client's name, logo, URLs, PKCE rule, tokens or back-channel logout.",
            discussion: """
                Options that are not given stay unchanged. The given redirect URIs replace all earlier ones; an empty
                one ("") removes them. Takes effect at once, in running brokers too. Sessions and the secret stay valid.

                Examples:
                  broker clients update 4fJqW8… --name Shop
                  broker clients update 4fJqW8… \\
                    --redirect-uri https://shop.example/a --redirect-uri https://shop.example/b
                  broker clients update 4fJqW8… --logo shop.svg --logo-dark shop-dark.svg
                  broker clients update 4fJqW8… --pkce optional --json
                """.paragraphs)

        @Argument(help: UpdateClient.help("client"))
        var client: String

        @Option(name: .long, help: UpdateClient.help("name"))
        var name: String?

        @Option(name: .customLong("redirect-uri"), help: UpdateClient.help("redirectUris"))
        var redirectURI: [String] = []

        @Option(
            name: .customLong("post-logout-redirect-uri"),
            help: UpdateClient.help("postLogoutRedirectUris"))
        var postLogoutRedirectURI: [String] = []

        @Option(name: .long, help: UpdateClient.help("pkce"))
        var pkce: Client.PKCE?

        @Option(name: .long, help: "Who gets the providers' tokens: server (backends only), or client.")
        var providerTokens: Policy.ProviderTokenAudience?

        @Flag(
            name: .long, inversion: .prefixedNo,
            help: UpdateClient.help("isFirstParty"))
        var firstParty: Bool?

        @Option(
            name: .customLong("backchannel-logout-uri"),
            help: UpdateClient.help("backchannelLogoutUri"))
        var backChannelLogoutURI: String?

        @Flag(
            name: .customLong("backchannel-logout-session-required"), inversion: .prefixedNo,
            help: UpdateClient.help("backchannelLogoutSessionRequired"))
        var backChannelLogoutSessionRequired: Bool?

        @OptionGroup var presentation: ClientPresentationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard changes != ClientChanges() || !presentation.isEmpty else {
                throw ValidationError(
                    "Nothing to update: add --name, --redirect-uri, --post-logout-redirect-uri, --pkce, "
                        + "--provider-tokens, --first-party, --backchannel-logout-uri, --logo or --home-url.")
            }
        }

        private var changes: ClientChanges {
            ClientChanges(
                name: name, redirectURIs: Self.list(redirectURI),
                postLogoutRedirectURIs: Self.list(postLogoutRedirectURI),
                pkce: pkce, receivesProviderTokens: providerTokens.map { $0 == .client },
                backChannelLogoutURI: backChannelLogoutURI,
                backChannelLogoutRequiresSession: backChannelLogoutSessionRequired, isFirstParty: firstParty)
        }

        /// `nil` when the option is absent; an empty list for one empty value.
        private static func list(_ values: [String]) -> [String]? {
            values.isEmpty ? nil : values == [""] ? [] : values
        }

        func run() async throws {
            try await output.reporting {
                var changes = changes
                changes.presentation = try presentation.changes()
                let answer = try await options.run(UpdateClient(client: client, changes))
                answer.warn()
                try output(answer) { $0.text }
            }
        }
    }
}
