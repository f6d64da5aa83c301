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
                Lists the first 100 users, and says so where there are more. With --json a page that is not the last one
                has "next", the value of --after for the following page, and "total", the number of all users.

                Examples:
                  broker users list
                  broker users list --all --json
                  broker users list --anonymous --all
                  broker users list --limit 1000 --after kX3… --json
                """.paragraphs)

        @Option(name: .long, help: "The maximum number of users, 1 to 1000 (default: 100).")
        var limit: Int?

        @Flag(name: .long, help: "List all users.")
        var all = false

        @Flag(name: .long, help: "List only anonymous users, which are devices without a known user.")
        var anonymous = false

        @Option(name: .long, help: "Start after this localId, the last one of the previous page.")
        var after: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit ?? 100) else { throw ValidationError("--limit takes 1 to 1000.") }
            guard !all || limit == nil else { throw ValidationError("Pass either --limit or --all.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.withExecutor { run in try await users(run) }
                try output(answer) { $0.users.isEmpty ? "No users." : Table<JSONObject>.users.text($0.users) }
                guard let next = answer.next, !output.json else { return }
                let total = answer.total.map { " of \($0)" } ?? ""
                // Not in the table, which may go to another program.
                TerminalText("\(answer.users.count)\(total) users. The next page: --after \(next). All of them: --all")
                    .warn()
            }
        }

        private func filtered(after: String?, limit: Int?) -> ListUsers {
            ListUsers(after: after, limit: limit, anonymous: anonymous ? true : nil)
        }

        /// One page, or all pages as one.
        private func users(_ run: OperationExecutor) async throws -> ListUsers.Answer {
            guard all else { return try await run(filtered(after: after, limit: limit)) }
            var users: [JSONObject] = []
            var next = after
            repeat {
                let page = try await run(filtered(after: next, limit: 1000))
                users += page.users
                next = page.next
            } while next != nil
            return ListUsers.Answer(users: users, next: nil, total: nil)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show one user with all identities.",
            discussion: """
                For the localId of a user who was merged into another one it shows that one, with "mergedInto" below
                "broker". An anonymous user has "anonymous" there, and an anonymous identity below its own "broker". What
                providers have reported about an identity since its last sign-in is below "broker" as well:
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
