import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Manage the credentials of backends and administrators at the HTTP API.",
        subcommands: [TokenGroup.self])

    struct TokenGroup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token", abstract: "Create, list and revoke admin tokens.",
            subcommands: [Create.self, List.self, Revoke.self])
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an admin token. It is printed once.",
            discussion: """
                A backend sends the token as Authorization: Bearer, and may do what its scopes name:
                  \(AdminScope.allCases.map(\.helpLine).joined(separator: "\n  "))

                Examples:
                  broker admin token create --name Calendar \\
                    --scope provider-tokens:read
                  broker admin token create --name Calendar \\
                    --scope provider-tokens:read --expires 30d --json
                """.paragraphs)

        @Option(name: .long, help: "What the token is for; shown in lists.")
        var name: String

        @Option(
            name: .long,
            help: "A scope: \(AdminScope.allCases.map(\.rawValue).joined(separator: ", ")); repeatable.")
        var scope: [AdminScope]

        @Option(name: .long, help: "Its lifetime in days, hours or minutes (90d, 12h, 30m), or never.")
        var expires = TokenLifetime.standard

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (credential, token) = try await options.withCore { core in
                    try await core.adminCredentials.create(
                        named: name, scopes: Set(scope), lifetime: expires.duration, origin: .commandLine())
                }
                output(
                    ["credential": credential.document(at: Timestamp(Date())), "token": .string(token.text)],
                    text: "\(credential.text)\ntoken:    \(token.text)\n          Store it now: it is not shown again.")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List admin tokens with their state, the oldest first.",
            discussion: """
                The broker stores only a hash of each token.

                Example:
                  broker admin token list --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let credentials = try await options.withCore { try await $0.adminCredentials.all() }
                let now = Timestamp(Date())
                output(
                    ["credentials": .array(credentials.map { $0.document(at: now) })],
                    text: credentials.isEmpty ? "No admin tokens." : Self.table(at: now).text(credentials))
            }
        }

        private static func table(at now: Timestamp) -> Table<AdminCredential> {
            Table(
                Table.Column("ID") { $0.id }, Table.Column("NAME", mayBeCut: true) { $0.name },
                Table.Column("SCOPES", mayBeCut: true) { $0.scopes },
                Table.Column("EXPIRES (UTC)") { $0.expiresAt?.minute ?? "never" },
                Table.Column("LAST USED (UTC)") { $0.lastUsedAt?.minute ?? "never" },
                Table.Column("STATE") { $0.state(at: now).rawValue })
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an admin token.",
            discussion: """
                Takes effect at once, in running brokers too. Cannot be undone.

                Example:
                  broker admin token revoke 4fJqW8xT0aPz
                """.paragraphs)

        @Argument(help: "The token's id, shown by `broker admin token list`.")
        var id: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let revoked = try await options.withCore { core in
                    try await core.adminCredentials.revoke(id: id, origin: .commandLine())
                }
                guard let revoked else {
                    throw CommandFailure(
                        code: "CREDENTIAL_NOT_FOUND",
                        "no valid admin token has this id: broker admin token list shows all tokens")
                }
                output(["revoked": .string(revoked.id)], text: "Revoked \(revoked.id) (\(revoked.name)).")
            }
        }
    }
}

/// The lifetime of an admin token on the command line.
struct TokenLifetime: ExpressibleByArgument {
    /// `nil`: until it is revoked.
    let duration: Duration?
    let defaultValueDescription: String

    static let standard = TokenLifetime(duration: .seconds(90 * 86_400), defaultValueDescription: "90d")

    private init(duration: Duration?, defaultValueDescription: String) {
        self.duration = duration
        self.defaultValueDescription = defaultValueDescription
    }

    init?(argument: String) {
        defaultValueDescription = argument
        if argument == "never" {
            duration = nil
            return
        }
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()),
            (1...5_256_000).contains(count)
        else { return nil }
        duration = .seconds(count * unit)
    }
}

extension AdminScope: ExpressibleByArgument {
    /// The name and the summary in aligned columns.
    var helpLine: String {
        rawValue.padding(toLength: 22, withPad: " ", startingAt: 0) + summary
    }

    private var summary: String {
        switch self {
        case .admin: "everything, also credentials, signing keys and the vault"
        case .readUsers: "list and show users, identities and sessions"
        case .writeUsers: "create, change and delete users, sessions and merges; import; session cookies"
        case .readProviderTokens: "read the provider access tokens of users"
        case .readConfiguration: "list and show providers, settings and clients"
        case .writeConfiguration: "change providers, settings and clients"
        case .readAudit: "read and verify the audit log"
        case .readEvents: "list webhooks and read events"
        case .writeEvents: "change webhooks and replay events"
        }
    }
}

extension AdminCredential {
    /// The credential for `--json`; it contains no token.
    fileprivate func document(at now: Timestamp) -> JSONValue {
        var object: JSONObject = [
            "id": .string(id), "name": .string(name),
            "scopes": .array(scopes.split(separator: " ").map { .string(String($0)) }),
            "state": .string(state(at: now).rawValue), "createdAt": createdAt.document,
        ]
        object["expiresAt"] = expiresAt?.document
        object["revokedAt"] = revokedAt?.document
        object["lastUsedAt"] = lastUsedAt?.document
        return .object(object)
    }

    /// On several lines.
    fileprivate var text: TerminalText {
        let lines: [TerminalText] = [
            "id:       \(id)", "name:     \(name)", "scopes:   \(scopes)", "expires:  \(expiresAt?.text ?? "never")",
        ]
        return lines.joined(separator: "\n")
    }
}
