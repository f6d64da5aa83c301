import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List, show, disable, enable and delete users.",
        subcommands: [List.self, Show.self, Disable.self, Enable.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List users, ordered by their id.",
            discussion: """
                Examples:
                  broker users list
                  broker users list --limit 1000 --after kX3… --json
                """.paragraphs)

        @Option(name: .long, help: "The maximum number of users, 1 to 1000.")
        var limit = 100

        @Option(name: .long, help: "Start after this localId, the last one of the previous page.")
        var after: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        private static var table: Table<UserRecord> {
            Table(
                Table.Column("LOCAL ID") { $0.user.localID },
                Table.Column("E-MAIL", mayBeCut: true) { $0.user.email ?? "-" },
                Table.Column("NAME", mayBeCut: true) { $0.user.displayName ?? "-" },
                Table.Column("PROVIDERS", mayBeCut: true) { $0.identities.map(\.provider).joined(separator: ",") },
                Table.Column("STATE") { $0.user.isDisabled ? "disabled" : "" })
        }

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let records = try await options.withCore { core in
                    try await core.store.read { [after, limit] transaction in
                        try transaction.users(after: after, limit: limit).map {
                            UserRecord(user: $0, identities: try transaction.identities(of: $0.key))
                        }
                    }
                }
                output(
                    ["users": .array(records.map { .object(JSONObject($0)) })],
                    text: records.isEmpty ? "No users." : Self.table.text(records))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one user with all identities.",
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

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let record = try await options.withCore { core in
                    guard let survivor = try await core.explain.survivor(of: user) else {
                        return try await core.user(named: user)
                    }
                    let record = try await core.user(named: survivor)
                    return UserRecord(user: record.user, identities: record.identities, alias: user)
                }
                var members = JSONObject(record)
                members.addReports(about: record.identities)
                let document = JSONValue.object(members)
                output(document, text: TerminalText(json: document, indented: true))
            }
        }
    }
}

extension JSONObject {
    /// Adds what providers have reported about identities: `broker.reports.<provider>`.
    fileprivate mutating func addReports(about identities: [Identity]) {
        var reports = JSONObject()
        for identity in identities {
            var report = JSONObject()
            if identity.isMailDisabled { report["mailDisabled"] = true }
            report["consentRevokedAt"] = identity.consentRevokedAt?.document
            report["removalAt"] = identity.removalAt?.document
            if !report.isEmpty { reports[identity.provider] = .object(report) }
        }
        guard !reports.isEmpty else { return }
        var broker = self["broker"]?.object ?? JSONObject()
        broker["reports"] = .object(reports)
        self["broker"] = .object(broker)
    }
}

extension BrokerCore {
    /// A user by localId or e-mail address.
    ///
    /// - Throws: ``CommandFailure`` when there is none. A user who was merged into another one is not that other one: what
    ///   is done to a user must not be done to someone else by an old id.
    func user(named name: String) async throws -> UserRecord {
        let canonical = EmailAddress(name)?.canonical
        let record = try await store.read { transaction -> UserRecord? in
            let byEmail = try canonical.flatMap { try transaction.user(holdingEmail: $0) }
            guard let user = try byEmail ?? transaction.user(localID: name) else { return nil }
            return UserRecord(user: user, identities: try transaction.identities(of: user.key))
        }
        guard let record else {
            let survivor = try await explain.survivor(of: name)
            let merge = survivor.map { ": it was merged into \($0)" } ?? ""
            throw CommandFailure(code: "USER_NOT_FOUND", "there is no user \(name)\(merge)")
        }
        return record
    }
}
