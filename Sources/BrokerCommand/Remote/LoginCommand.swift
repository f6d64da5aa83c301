import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in at a remote broker with an admin token.",
        discussion: """
            Looks whether a broker answers at the URL, then asks for the token at the terminal without showing it, or reads
            it from standard input. The token is never an
            argument, because every user of this host can read the arguments. Create one on the broker's host with
            `broker admin token create`.

            The broker verifies the token before it is stored in $XDG_CONFIG_HOME/broker/servers.json (default:
            ~/.config/broker/servers.json), which only you can read. Later commands run at the broker you logged in at
            last, unless --server names another one, --config or $\(ProgramVariable.configuration.rawValue) a local broker, or the working folder has
            a broker.json. Set \(ProgramVariable.server.rawValue) and \(ProgramVariable.adminToken.rawValue) instead where no file is to be written.

            Examples:
              broker login --server https://id.example.com
              pass show broker-token | broker login --server https://id.example.com --json
              broker login status
              broker login switch https://id.example.com
            """.paragraphs,
        subcommands: [Create.self, Status.self, Switch.self], defaultSubcommand: Create.self)

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Log in at a remote broker (default).",
            discussion: """
                Example:
                  broker login create --server https://id.example.com \\
                    --ca-file ca.pem
                """.paragraphs)

        @Option(name: .long, help: "The broker's URL. It uses https, except for a broker on this machine.")
        var server: String

        @Option(name: .long, help: "File with the certificate authority of the broker, in PEM.")
        var caFile: String?

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let url = try ServerURL(server).text
                let caFile = caFile.map { URL(filePath: $0).standardizedFileURL.path }
                // Before the token is typed, which a wrong host must not even be asked about.
                try await RemoteBroker.with(.init(url: url, token: "", caFile: caFile)) { try await $0.requireBroker() }
                let login = ServerLogins.Login(url: url, token: try Self.token(for: url), caFile: caFile)
                let answer = try await RemoteBroker.with(login) { try await $0.run(WhoAmI()) }
                var logins = try ServerLogins.load()
                logins.add(login)
                try logins.save()
                try output(LoginState(url: url, isCurrent: true, state: .valid, administrator: answer)) {
                    "Logged in at \($0.url) as \(answer.name) (\(answer.scopes.joined(separator: ", ")))."
                }
            }
        }

        private static func token(for url: String) throws -> String {
            let text =
                StandardInput.current() == .empty
                ? try SecretPrompt.ask("Admin token for \(url): ") : SecretInput.text("-") ?? ""
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw CommandFailure(
                    code: "INVALID_TOKEN", "the input is not an admin token", exitCode: .validationFailure)
            }
            return text
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the brokers at which you are logged in, and whether each accepts the token.",
            discussion: """
                Exits 0 when the current broker accepts its token, otherwise 1.

                Example:
                  broker login status --json
                """.paragraphs)

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let logins = try ServerLogins.load()
                var states: [LoginState] = []
                for login in logins.servers {
                    states.append(await LoginState(login, isCurrent: login.url == logins.current))
                }
                try output(LoginStates(servers: states)) { states in
                    states.servers.isEmpty
                        ? "Not logged in: broker login --server URL" : LoginState.table.text(states.servers)
                }
                guard states.contains(where: { $0.isCurrent && $0.state == .valid }) else { throw ExitCode.failure }
            }
        }
    }

    struct Switch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "switch", abstract: "Select the broker that commands use.",
            discussion: """
                Example:
                  broker login switch https://id.example.com
                """.paragraphs)

        @Argument(help: "The broker's URL, shown by `broker login status`.")
        var server: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let url = try ServerURL(server).text
                var logins = try ServerLogins.load()
                guard logins.select(url) else { throw CommandFailure.notLoggedIn(at: url) }
                try logins.save()
                output(["current": .string(url)], text: "Commands now run at \(url).")
            }
        }
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove the stored admin token of a remote broker.",
        discussion: """
            The token stays valid for others who have it: `broker admin token revoke` revokes it.

            Examples:
              broker logout
              broker logout --server https://id.example.com
            """.paragraphs)

    @Option(name: .long, help: "The broker's URL (default: the current one).")
    var server: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            var logins = try ServerLogins.load()
            let named = try server.map { try ServerURL($0).text }
            guard let url = named ?? logins.current else {
                throw CommandFailure(code: "NOT_LOGGED_IN", "you are not logged in at a broker")
            }
            guard logins.remove(url) else { throw CommandFailure.notLoggedIn(at: url) }
            try logins.save()
            output(["loggedOut": .string(url)], text: "Logged out at \(url).")
        }
    }
}

extension CommandFailure {
    static func notLoggedIn(at url: String) -> CommandFailure {
        CommandFailure(
            code: "NOT_LOGGED_IN", "you are not logged in at \(url): broker login --server \(url)",
            exitCode: .validationFailure)
    }
}

/// The logins as `broker login status` shows them.
private struct LoginStates: Encodable {
    let servers: [LoginState]
}

/// One login; it contains no token.
private struct LoginState: Encodable {
    enum State: String, Encodable {
        case valid, refused, unreachable
    }

    let url: String
    let isCurrent: Bool
    let state: State
    let administrator: WhoAmI.Answer?

    init(url: String, isCurrent: Bool, state: State, administrator: WhoAmI.Answer?) {
        (self.url, self.isCurrent, self.state, self.administrator) = (url, isCurrent, state, administrator)
    }

    /// Asks the broker.
    init(_ login: ServerLogins.Login, isCurrent: Bool) async {
        let state: State
        var administrator: WhoAmI.Answer?
        do {
            administrator = try await RemoteBroker.with(login) { try await $0.run(WhoAmI()) }
            state = .valid
        } catch {
            state = (error as? CommandFailure)?.code == "UNAUTHENTICATED" ? .refused : .unreachable
        }
        self.init(url: login.url, isCurrent: isCurrent, state: state, administrator: administrator)
    }

    static var table: Table<LoginState> {
        Table(
            Table.Column("CURRENT") { $0.isCurrent ? "*" : "" }, Table.Column("SERVER") { $0.url },
            Table.Column("STATE") { $0.state.rawValue },
            Table.Column("CREDENTIAL", mayBeCut: true) { login in
                login.administrator.map { "\($0.name) (\($0.id))" } ?? ""
            },
            Table.Column("SCOPES", mayBeCut: true) { $0.administrator?.scopes.joined(separator: " ") ?? "" })
    }
}
