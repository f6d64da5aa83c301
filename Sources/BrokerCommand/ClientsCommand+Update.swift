import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension ClientsCommand {
    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a client's name, redirect URIs or rule for PKCE.",
            discussion: """
                What is not given stays as it is. The redirect URIs that are given take the place of all earlier ones; an
                empty one ("") removes them. Takes effect at once, in running brokers too. Sessions and the secret stay.

                Examples:
                  broker clients update 4fJqW8… --name Shop
                  broker clients update 4fJqW8… \\
                    --redirect-uri https://shop.example/a --redirect-uri https://shop.example/b
                  broker clients update 4fJqW8… --pkce optional --json
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @Option(name: .long, help: "What people see when they sign in.")
        var name: String?

        @Option(name: .customLong("redirect-uri"), help: "Where codes may be sent; may be given several times.")
        var redirectURI: [String] = []

        @Option(
            name: .customLong("post-logout-redirect-uri"),
            help: "Where browsers may be sent after signing out; may be given several times.")
        var postLogoutRedirectURI: [String] = []

        @Option(name: .long, help: "PKCE: required, or optional for confidential clients that cannot use it.")
        var pkce: Client.PKCE?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard changes != ClientChanges() else {
                throw ValidationError(
                    "Say what to change: --name, --redirect-uri, --post-logout-redirect-uri or --pkce.")
            }
        }

        private var changes: ClientChanges {
            ClientChanges(
                name: name, redirectURIs: Self.list(redirectURI),
                postLogoutRedirectURIs: Self.list(postLogoutRedirectURI),
                pkce: pkce)
        }

        /// `nil` when the option was not given; an empty list for one empty value.
        private static func list(_ values: [String]) -> [String]? {
            values.isEmpty ? nil : values == [""] ? [] : values
        }

        func run() async throws {
            try await output.reporting {
                let (updated, warnings) = try await options.withCore { core in
                    let hosts = IdentityProviderHosts(core.configuration.pluginsPath, plugins: BrokerProgram.plugins)
                    guard
                        let updated = try await core.openID.clients.update(
                            id: client, changes, origin: .commandLine())
                    else { throw CommandFailure.clientNotFound }
                    return (updated.client, updated.registration.warnings(providerHosts: hosts.names))
                }
                ClientsCommand.warn(warnings)
                output(.object(ClientsCommand.document(updated, warnings)), text: updated.text)
            }
        }
    }

    /// Tells the operator on standard error what to think about twice.
    static func warn(_ warnings: [String]) {
        for warning in warnings { TerminalText("broker: warning: \(warning)").warn() }
    }

    /// A client and what is doubtful about it, as programs read it.
    static func document(_ client: Client, _ warnings: [String]) -> JSONObject {
        var object: JSONObject = ["client": client.document]
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSONValue.string)) }
        return object
    }
}
