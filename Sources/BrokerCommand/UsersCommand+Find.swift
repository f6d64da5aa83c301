import ArgumentParser
import Broker
import ProviderKit

extension UsersCommand {
    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Find users by id, e-mail address or provider identity.",
            discussion: """
                Every option is repeatable and finds further users. Exits 1 when there is none.

                Examples:
                  broker users find --email ann@example.com
                  broker users find --identity github.com:583231 --json
                """.paragraphs)

        @Option(name: .customLong("id"), help: FindUsersOperation.help("localIds"))
        var localID: [String] = []

        @Option(name: .long, help: FindUsersOperation.help("emails"))
        var email: [String] = []

        @Option(name: .long, help: FindUsersOperation.help("initialEmails"))
        var initialEmail: [String] = []

        @Option(name: .long, help: "A provider's id and the user's subject there: PROVIDER:SUBJECT.")
        var identity: [FederatedIdentityArgument] = []

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard !(localID + email + initialEmail).isEmpty || !identity.isEmpty else {
                throw ValidationError("Pass --id, --email, --initial-email or --identity.")
            }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(
                    FindUsersOperation(
                        localIDs: localID, emails: email, initialEmails: initialEmail,
                        identities: identity.map(\.identity)))
                try output(answer) { $0.users.isEmpty ? "No users." : Table<JSONObject>.users.text($0.users) }
                if answer.users.isEmpty { throw ExitCode.failure }
            }
        }
    }
}

/// `PROVIDER:SUBJECT` on the command line.
struct FederatedIdentityArgument: ExpressibleByArgument {
    let identity: FindUsersOperation.FederatedIdentity

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        let (provider, subject) = (argument[..<colon], argument[argument.index(after: colon)...])
        guard !provider.isEmpty, !subject.isEmpty else { return nil }
        identity = .init(providerID: String(provider), rawID: String(subject))
    }
}
