import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "Manage the apps that sign users in with OpenID Connect.",
        subcommands: [Add.self, List.self, Show.self, Update.self, Rotate.self, Plist.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the clients, the oldest first.",
            discussion: """
                Example:
                  broker clients list --json
                """.paragraphs)

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        private static var table: Table<ClientAnswer> {
            Table(
                Table.Column("CLIENT ID") { $0.clientId }, Table.Column("TYPE") { $0.type.rawValue },
                Table.Column("NAME", mayBeCut: true) { $0.name })
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListClients())
                try output(answer) { $0.clients.isEmpty ? "No clients." : Self.table.text($0.clients) }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a client: its type, its redirect URIs and its settings.",
            discussion: """
                The broker stores only a hash of the secret: broker clients rotate makes a new one.

                Example:
                  broker clients show 4fJqW8…
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try output(try await options.run(ShowClient(client: client))) { $0.client.text }
            }
        }
    }
}

extension ClientAnswer {
    /// On several lines.
    var text: TerminalText {
        var lines: [TerminalText] = [
            "client id:     \(clientId)", "name:          \(name)", "type:          \(type.rawValue)",
            "tokens:        \(idTokenSigningAlg.rawValue)", "PKCE:          \(pkce.rawValue)",
            "IdP tokens:    \(providerTokens)", "first-party:   \(isFirstParty ? "yes" : "no")",
            "added:         \(createdAt.text)",
        ]
        lines += redirectUris.map { "redirect URI:  \($0)" }
        lines += postLogoutRedirectUris.map { "after logout:  \($0)" }
        if let backchannelLogoutUri { lines.append("logout URI:    \(backchannelLogoutUri)") }
        if let previousSecretUntil { lines.append("old secret:    valid until \(previousSecretUntil.text)") }
        return lines.joined(separator: "\n")
    }
}

extension ClientChangeAnswer {
    /// The client, with the secret where there is a new one.
    var text: TerminalText {
        guard let clientSecret else { return client.text }
        return """
            \(client.text)
            client secret: \(clientSecret)
                           Store it now: it is not shown again.
            """
    }

    /// Prints the warnings about the registration on standard error.
    func warn() {
        for warning in warnings ?? [] { TerminalText("broker: warning: \(warning)").warn() }
    }
}
