import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "List, follow and verify the audit log.",
        discussion: """
            Every change of users, sessions, clients, keys and configuration has an entry, with who made it, from where and
            why. Running brokers seal the entries into a hash chain within seconds, which `audit verify` checks.
            """.paragraphs,
        subcommands: [List.self, Follow.self, Verify.self])

    /// The options that select entries.
    struct Selection: ParsableArguments {
        @Option(name: .long, help: AuditSelection.help("user"), completion: .users)
        var user: String?

        @Option(name: .long, help: AuditSelection.help("actor"))
        var actor: String?

        @Option(name: .long, help: AuditSelection.help("event"))
        var event: String?
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List audit entries, newest first.",
            discussion: """
                Examples:
                  broker audit list
                  broker audit list --user ann@example.com --since 7d
                  broker audit list --event admin-credential. --json
                """.paragraphs)

        @OptionGroup var selection: Selection

        @Option(name: .long, help: "Begin here: a date, a time of ISO 8601, or a duration before now (30m, 24h, 7d).")
        var since: TimeArgument?

        @Option(name: .long, help: AuditSelection.help("until"))
        var until: TimeArgument?

        @Option(name: .long, help: ListAudit.help("limit"))
        var limit = ListAudit.limits.standard

        @Option(name: .long, help: ListAudit.help("before"))
        var before: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard ListAudit.limits.range.contains(limit) else { throw ValidationError("--limit takes 1 to 10000.") }
        }

        func run() async throws {
            try await output.reporting {
                let selection = AuditSelection(
                    user: selection.user, actor: selection.actor, event: selection.event, since: since?.timestamp,
                    until: until?.timestamp)
                let answer = try await options.run(ListAudit(selection, limit: limit, before: before))
                try output(answer) {
                    let more: TerminalText = $0.next.map { "\nThere are more: add --before \($0)" } ?? ""
                    return $0.entries.isEmpty ? "No entries." : "\(Table<AuditRecord>.audit.text($0.entries))\(more)"
                }
            }
        }
    }

    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "follow", abstract: "Print audit entries as they are sealed, until interrupted.",
            discussion: """
                With --json every entry is a JSON document of one line.

                Examples:
                  broker audit follow
                  broker audit follow --event session. --server https://id.example.com
                """.paragraphs)

        @OptionGroup var selection: Selection
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        /// Between two looks.
        private static let interval = Duration.seconds(1)

        func run() async throws {
            let selection = AuditSelection(user: selection.user, actor: selection.actor, event: selection.event)
            let (options, output) = (options, output)
            try await output.reporting {
                try await Interruption.heeding {
                    try await options.withExecutor { execute in
                        var next: Int64?
                        while true {
                            let answer = try await execute(FollowAudit(selection, after: next))
                            for entry in answer.entries {
                                output(try JSONValueEncoder().encode(entry), text: entry.line)
                            }
                            let isBehind = next.map { answer.next - $0 >= Int64(FollowAudit.page) } ?? false
                            next = answer.next
                            if !isBehind { try await Task.sleep(for: Self.interval) }
                        }
                    }
                }
            }
        }
    }
}

extension AuditRecord {
    /// The actor with its name, for people.
    fileprivate var actorText: String {
        guard let actor else { return actorKind }
        return actorName.map { "\($0) (\(actor))" } ?? actor
    }

    /// Everything but the time, the event, the actor and the user.
    fileprivate var detailText: String {
        var parts = [provider, address].compactMap { $0 }
        parts += detail.map { name, value in "\(name)=\(value.string ?? value.serialized())" }
        if let reason { parts.append("reason: \(reason)") }
        return parts.joined(separator: " ")
    }

    fileprivate var line: TerminalText {
        TerminalText(escaping: [time.text, event, actorText, user ?? "-", detailText].joined(separator: "  "))
    }
}

extension Table<AuditRecord> {
    fileprivate static var audit: Table<AuditRecord> {
        Table(
            Table.Column("TIME") { $0.time.text }, Table.Column("EVENT") { $0.event },
            Table.Column("ACTOR", mayBeCut: true) { $0.actorText }, Table.Column("USER") { $0.user ?? "" },
            Table.Column("DETAIL", mayBeCut: true) { $0.detailText })
    }
}
