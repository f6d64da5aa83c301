import ArgumentParser
import Broker
import ProviderKit

extension UsersCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a user without an identity.",
            discussion: """
                A sign-in with a provider that verifies the same address leads to the user if the address counts as
                verified here, and so does `broker link --user`.

                Examples:
                  broker users create --email ann@example.com --email-verified
                  broker users create --id emp-4711 --display-name "Ann" --json
                """.paragraphs)

        @Option(name: .customLong("id"), help: "The user's localId (default: the broker draws one).")
        var localID: String?

        @Option(name: .long, help: "The e-mail address, which no other user may have.")
        var email: String?

        @Flag(name: .long, help: "The address counts as verified.")
        var emailVerified = false

        @Option(name: .long, help: "The name.")
        var displayName: String?

        @Option(name: .customLong("photo-url"), help: "The http or https URL of a picture.")
        var photoURL: String?

        @Flag(name: .long, help: "The user is disabled from the start.")
        var disabled = false

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let user = try await options.run(
                    CreateUserOperation(
                        localID: localID, email: email, isEmailVerified: emailVerified, displayName: displayName,
                        photoURL: photoURL, isDisabled: disabled))
                try output(user) { "Created \($0.userLabel)." }
            }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Find users by id, e-mail address or provider identity.",
            discussion: """
                Every option is repeatable and finds further users. Exits 1 when there is none.

                Examples:
                  broker users find --email ann@example.com
                  broker users find --identity github.com:583231 --json
                """.paragraphs)

        @Option(name: .customLong("id"), help: "A localId, also of a user who was merged into another one.")
        var localID: [String] = []

        @Option(name: .long, help: "An e-mail address.")
        var email: [String] = []

        @Option(name: .long, help: "The address a user had before the first change of it.")
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
