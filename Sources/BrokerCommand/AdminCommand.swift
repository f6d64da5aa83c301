import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Manage the credentials of backends and administrators at the HTTP API.",
        subcommands: [TokenGroup.self, ServiceAccountGroup.self])

    struct TokenGroup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token", abstract: "Create, list and revoke admin tokens.",
            subcommands: [
                Create.self, command(of: ListAdminTokens.self), command(of: RevokeAdminToken.self),
            ])
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create an admin token. It is printed once.",
            discussion: """
                A backend sends the token as Authorization: Bearer, and may do what its scopes name:
                  \(AdminScope.allCases.map(\.helpLine).joined(separator: "\n  "))

                Examples:
                  broker admin token create --name Calendar \\
                    --scope provider-tokens:read
                  broker admin token create --name Calendar \\
                    --scope provider-tokens:read --expires 30d --json
                """.paragraphs)

        @Option(name: .long, help: CreateAdminToken.help("name"))
        var name: String

        @Option(name: .long, help: CreateAdminToken.help("scopes"))
        var scope: [AdminScope]

        @Option(name: .long, help: "Its lifetime in days, hours or minutes (90d, 12h, 30m), or never.")
        var expires = TokenLifetime.standard

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(
                    CreateAdminToken(name: name, scopes: scope, lifetime: expires.duration))
                try output(answer) { answer in
                    """
                    \(answer.credential.text)
                    token:    \(answer.token)
                              Store it now: it is not shown again.
                    """
                }
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
        case .writeUsers: "change users, sessions and merges; import users"
        case .readProviderTokens: "read the provider access tokens of users"
        case .readConfiguration: "list and show providers, settings and clients"
        case .writeConfiguration: "change providers, settings and clients"
        case .trustProviders: "add, remove and redirect providers: may become any user"
        case .readAudit: "read and verify the audit log"
        case .readEvents: "list webhooks and read events"
        case .writeEvents: "change webhooks and replay events"
        case .introspectTokens: "ask whether a user's token is valid"
        }
    }
}

extension AdminTokenAnswer {
    /// On several lines.
    fileprivate var text: TerminalText {
        let lines: [TerminalText] = [
            "id:       \(id)", "name:     \(name)", "scopes:   \(scopes.joined(separator: " "))",
            "expires:  \(expiresAt?.text ?? "never")",
        ]
        return lines.joined(separator: "\n")
    }
}
