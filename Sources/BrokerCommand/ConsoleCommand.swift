import ArgumentParser
import Broker
import ProviderKit

struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Manage who may use the console.",
        discussion: """
            The console is off until broker.json names an administrator or an invitation was accepted: see
            Docs/Console.md.
            """.paragraphs,
        subcommands: [
            Invite.self, command(of: ListConsoleAdministrators.self), command(of: SetConsoleRole.self),
            command(of: RemoveConsoleAdministrator.self),
        ])

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite", abstract: "Print a link with which someone becomes an administrator.",
            discussion: """
                The first user who opens the link and signs in at a provider becomes an administrator with the role. The link counts
                once and for 15 minutes; the store has only its hash. It needs no other proof, so give it to the one who is
                meant only.

                Examples:
                  broker console invite --role owner
                  broker console invite --role viewer --json
                """.paragraphs)

        @Option(name: .long, help: "The role: \(ConsoleRole.allCases.map(\.rawValue).joined(separator: ", ")).")
        var role: ConsoleRole

        @Option(name: .long, help: "The reason, for the audit.")
        var reason: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (link, expiresAt) = try await options.withCore { core in
                    guard try await core.providers.listProviders().contains(where: \.isEnabled) else {
                        throw CommandFailure(
                            code: "NO_PROVIDER",
                            "no provider is enabled, and a link is accepted by a sign-in: add one with broker providers add"
                        )
                    }
                    return try await core.inviteToConsole(role: role, origin: .commandLine(reason: reason))
                }
                output(
                    [
                        "url": .string(link), "role": .string(role.rawValue), "expiresAt": .string(expiresAt.text),
                    ],
                    text: """
                        \(link)
                        The first user who signs in with this link by \(expiresAt.minuteText) UTC becomes \(role.rawValue). It counts once.
                        """)
            }
        }
    }
}

extension ConsoleRole: ExpressibleByArgument {}
