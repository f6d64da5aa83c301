import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Create, find, change, disable, delete, import and export users.",
        subcommands: [
            command(of: CreateUserOperation.self), List.self, command(of: SearchUsers.self),
            command(of: ShowUser.self), Find.self, command(of: ShowTimeline.self),
            command(of: UpdateUser.self), Claims.self, command(of: DisableUserOperation.self),
            command(of: EnableUserOperation.self), command(of: DeleteUser.self), Import.self, Export.self,
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

        @Option(name: .long, help: ListUsers.help("limit"))
        var limit: Int?

        @Flag(name: .long, help: "List all users.")
        var all = false

        @Flag(name: .long, help: ListUsers.help("anonymous"))
        var anonymous = false

        @Option(name: .long, help: ListUsers.help("after"))
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
}
