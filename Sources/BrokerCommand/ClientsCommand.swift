import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "Manage the apps that sign users in with OpenID Connect.",
        subcommands: [Add.self, List.self, Show.self, Update.self, Rotate.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the clients, the oldest first.",
            discussion: """
                Example:
                  broker clients list --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        private static var table: Table<Client> {
            Table(
                Table.Column("CLIENT ID") { $0.id }, Table.Column("TYPE") { $0.kind.rawValue },
                Table.Column("NAME", mayBeCut: true) { $0.name })
        }

        func run() async throws {
            try await output.reporting {
                let clients = try await options.withCore { try await $0.openID.clients.all() }
                output(
                    ["clients": .array(clients.map(\.document))],
                    text: clients.isEmpty ? "No clients." : Self.table.text(clients))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a client: its type, its redirect URIs and its settings.",
            discussion: """
                The broker stores only a hash of the secret: broker clients rotate makes a new one.

                Example:
                  broker clients show 4fJqW8…
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let found = try await options.withCore { try await $0.openID.clients.client(id: client) }
                guard let found else { throw CommandFailure.clientNotFound }
                output(["client": found.document], text: found.text)
            }
        }
    }
}

extension CommandFailure {
    static let clientNotFound = CommandFailure(
        code: "CLIENT_NOT_FOUND", "no client has this id: broker clients list shows all clients")
}

extension Client {
    /// The client for `--json`; it contains no secret.
    var document: JSONValue {
        var object: JSONObject = [
            "clientId": .string(id), "type": .string(kind.rawValue), "name": .string(name),
            "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "postLogoutRedirectUris": .array(postLogoutRedirectURIs.map(JSONValue.string)),
            "idTokenSigningAlg": .string(algorithm.rawValue), "pkce": .string(pkce.rawValue),
            "providerTokens": .string(receivesProviderTokens ? "client" : "server"),
            "createdAt": createdAt.document,
        ]
        object["previousSecretUntil"] = previousSecret?.until.document
        return .object(object)
    }

    /// On several lines.
    var text: TerminalText {
        var lines: [TerminalText] = [
            "client id:     \(id)", "name:          \(name)", "type:          \(kind.rawValue)",
            "tokens:        \(algorithm.rawValue)", "PKCE:          \(pkce.rawValue)",
            "IdP tokens:    \(receivesProviderTokens ? "client" : "server")",
            "added:         \(createdAt.text)",
        ]
        lines += redirectURIs.map { "redirect URI:  \($0)" }
        lines += postLogoutRedirectURIs.map { "after logout:  \($0)" }
        if let previousSecret { lines.append("old secret:    valid until \(previousSecret.until.text)") }
        return lines.joined(separator: "\n")
    }
}
