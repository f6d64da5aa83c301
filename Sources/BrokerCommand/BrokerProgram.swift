import ArgumentParser
import Broker
import Foundation
import Logging
public import ProviderKit

/// The `broker` program, for a build's own ten-line `main`: `await BrokerProgram.run(plugins: [.github, .acme])`.
public enum BrokerProgram {
    @TaskLocal static var plugins: [ProviderPlugin] = []

    /// Runs the command line with the providers this build has, and ends the process with the command's exit code.
    ///
    /// Exit codes: 0 done, 1 refused or failed, 64 wrong usage, 78 wrong configuration (sysexits.h).
    public static func run(plugins: [ProviderPlugin]) async {
        // Writing to a connection that the client closed must not end the process.
        signal(SIGPIPE, SIG_IGN)
        // A write beyond the file size limit must fail like a write to a full disk.
        signal(SIGXFSZ, SIG_IGN)
        guard let arguments else {
            TerminalText("broker: the arguments are not UTF-8").warn()
            Foundation.exit(ExitCode.validationFailure.rawValue)
        }
        await $plugins.withValue(plugins) { await RootCommand.perform(arguments) }
    }

    /// The arguments as they were given; nil if one is not UTF-8, which `CommandLine.arguments` would replace in part.
    private static var arguments: [String]? {
        var arguments: [String] = []
        for argument in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst() {
            guard let argument, let text = String(validatingCString: argument) else { return nil }
            arguments.append(text)
        }
        return arguments
    }
}

struct RootCommand: AsyncParsableCommand {
    /// The parser's own errors begin like those of the commands.
    static let _errorLabel = "broker"

    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "One user record and one set of tokens for users who sign in with GitHub and other providers.",
        discussion: """
              Try it first:        broker demo
              Then set it up:      broker init && broker serve
            """.paragraphs,
        version: "broker \(BrokerVersion.current)",
        subcommands: [
            ServeCommand.self, DemoCommand.self, PagesCommand.self, InitCommand.self, ProvidersCommand.self,
            AppleCommand.self,
            UsersCommand.self, SessionsCommand.self, ClientsCommand.self, AdminCommand.self,
            ConsoleCommand.self, LinkCommand.self,
            command(of: UnlinkIdentity.self), ReauthCommand.self, WithdrawalsCommand.self, WebhooksCommand.self,
            EventsCommand.self,
            KeysCommand.self, VaultCommand.self, TokenCommand.self, command(of: ExplainDecisions.self),
            command(of: ListRefusals.self), command(of: ShowStatistics.self),
            MergesCommand.self,
            AuditCommand.self, StoreCommand.self, HealthCommand.self,
            command(of: ShowStatus.self), DoctorCommand.self, ConfigCommand.self,
            LoginCommand.self,
            LogoutCommand.self,
            SchemaCommand.self, PluginCommand.self, CompletionCommand.self, ManualCommand.self,
        ])
}

extension RootCommand {
    /// Parses a command line and runs its command. Ends the process with an exit code when either fails.
    fileprivate static func perform(_ arguments: [String]) async {
        do {
            if let unknown = UnknownSubcommand.first(in: arguments, of: self) {
                TerminalText("broker: \(unknown.message)").warn()
                throw ExitCode.validationFailure
            }
            var command = try await asyncParseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let (code, text) = (exitCode(for: error), TerminalText(escapingLines: fullMessage(for: error)))
            if !text.description.isEmpty { code.isSuccess ? text.show() : text.warn() }
            Foundation.exit(code.rawValue)
        }
    }
}
