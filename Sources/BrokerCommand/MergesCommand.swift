import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct MergesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merges", abstract: "List, approve, dismiss and undo merges of users.",
        discussion: """
            A provider that merges accounts may report that two users of this broker are the same account. The broker
            stores the merge until you approve or dismiss it. With "autoMerge": true in the provider's entry of
            plugins.json the broker merges the users at once. Users who own two accounts may merge them as well; such a
            merge waits for you if one of the two is disabled or has custom claims that the other one lacks. A merge can be
            undone for 30 days.
            """.paragraphs,
        subcommands: [List.self, Show.self, Approve.self, Dismiss.self, Undo.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the pending merges, or those that can be undone, the oldest first.",
            discussion: """
                Examples:
                  broker merges list
                  broker merges list --undoable
                  broker merges list --all --limit 1000 --json
                """.paragraphs)

        @Flag(name: .long, help: "Include dismissed merges.")
        var all = false

        @Flag(name: .long, help: "List the merges of the last 30 days that can be undone instead.")
        var undoable = false

        @Option(name: .long, help: "The maximum number of merges, 1 to 1000.")
        var limit = 100

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
            guard !all || !undoable else { throw ValidationError("Use --all or --undoable, not both.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListMerges(all: all, undoable: undoable, limit: limit))
                try output(answer) { answer in
                    answer.merges.isEmpty ? "No merges." : answer.merges.map(\.text).joined(separator: "\n\n")
                }
                output.noteLimit(limit, reachedBy: answer.merges.count)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a pending merge, or one that can be undone with what an undo would not restore.",
            discussion: """
                Examples:
                  broker merges show 4mXq…
                  broker merges show 4mXq… --json
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list.")
        var merge: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try output(try await options.run(ShowMerge(id: merge))) { $0.text }
            }
        }
    }
}

extension MergeAnswer {
    var text: TerminalText {
        guard let mergedAt, let undoableUntil else {
            return """
                \(id)  \(createdAt?.text ?? "")  \(source)\(dismissedAt == nil ? "" : "  dismissed")
                  stays   \(survivor.userSummary)\(survivor.claimsLine)
                  goes    \(absorbed.userSummary)\(absorbed.claimsLine)
                """
        }
        let notes = (conflicts ?? []).map { "\n  note    \($0.message)" as TerminalText }.joined()
        return """
            \(id)  \(mergedAt.text)  \(source)  can be undone until \(undoableUntil.text)
              stays   \(survivor.userSummary)\(survivor.claimsLine)
              merged  \(absorbed.userSummary)\(absorbed.claimsLine)\(notes)
            """
    }
}

extension MergeAnswer {
    /// Who says that the two are one person.
    private var source: String { provider == PendingMerge.ofUser ? "asked for by the user" : provider }
}

extension JSONObject {
    /// A line with the custom claims, which a merge does not carry over by itself; empty without any.
    fileprivate var claimsLine: TerminalText {
        self["customAttributes"]?.string.map { "\n          claims  \($0)" as TerminalText } ?? ""
    }
}
