import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Create, find, change, disable, delete, import and export users.",
        subcommands: [
            Create.self, List.self, Show.self, Find.self, Update.self, Claims.self, Disable.self, Enable.self,
            Delete.self, Import.self, Export.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List users, ordered by their id.",
            discussion: """
                Examples:
                  broker users list
                  broker users list --limit 1000 --after kX3… --json
                """.paragraphs)

        @Option(name: .long, help: "The maximum number of users, 1 to 1000.")
        var limit = 100

        @Option(name: .long, help: "Start after this localId, the last one of the previous page.")
        var after: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListUsers(after: after, limit: limit))
                try output(answer) { $0.users.isEmpty ? "No users." : Table<JSONObject>.users.text($0.users) }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show one user with all identities.",
            discussion: """
                For the localId of a user who was merged into another one it shows that one, with "mergedInto" below
                "broker". What providers have reported about an identity since its last sign-in is below "broker" as well:
                consent withdrawn, mail to the relay address not delivered, removal of a deleted account's identity.

                Examples:
                  broker users show ann@example.com
                  broker users show kX3… --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ShowUser(user: user))
                try output(answer) { TerminalText(json: .object($0), indented: true) }
            }
        }
    }
}

extension BrokerCore {
    /// A user by localId or e-mail address.
    ///
    /// - Throws: ``AdminFailure`` when there is none, or a store's error.
    func user(named name: String) async throws -> UserRecord {
        try await administration.user(named: name)
    }
}
