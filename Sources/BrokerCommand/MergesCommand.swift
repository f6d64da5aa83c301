import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct MergesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merges", abstract: "List, approve, dismiss and undo merges of users that a provider reported.",
        discussion: """
            A provider that merges accounts may report that two users of this broker are the same account. The broker
            stores the merge until you approve or dismiss it. With "autoMerge": true in the provider's entry of
            plugins.json the broker merges the users at once. A merge can be undone for 30 days.
            """.paragraphs,
        subcommands: [List.self, Show.self, Approve.self, Dismiss.self, Undo.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the pending merges, or those that can be undone, the oldest first.",
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

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
            guard !all || !undoable else { throw ValidationError("Use --all or --undoable, not both.") }
        }

        func run() async throws {
            try await output.reporting {
                let merges: [(document: JSONObject, text: TerminalText)] = try await options.withCore { core in
                    if undoable {
                        return try await core.undoMerge.undoable(limit: limit).map { ($0.document, $0.text) }
                    }
                    return try await core.mergeAccounts.pending(includingDismissed: all, limit: limit).map {
                        ($0.document, $0.text)
                    }
                }
                output(
                    ["merges": .array(merges.map { .object($0.document) })],
                    text: merges.isEmpty ? "No merges." : merges.map(\.text).joined(separator: "\n\n"))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a pending merge, or one that can be undone with what an undo would not restore.",
            discussion: """
                Examples:
                  broker merges show 4mXq…
                  broker merges show 4mXq… --json
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list.")
        var merge: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (document, text): (JSONObject, TerminalText) = try await options.withCore { core in
                    if let undoable = try await core.undoMerge.candidate(merge) {
                        return (undoable.document, undoable.text)
                    }
                    let pending = try await core.mergeAccounts.candidate(merge)
                    return (pending.document, pending.text)
                }
                output(.object(document), text: text)
            }
        }
    }
}

extension MergeAccounts.Candidate {
    var document: JSONObject {
        var object: JSONObject = [
            "id": .string(merge.id), "provider": .string(merge.provider), "createdAt": merge.createdAt.document,
            "survivor": .object(JSONObject(survivor)), "absorbed": .object(JSONObject(absorbed)),
        ]
        object["dismissedAt"] = merge.dismissedAt?.document
        return object
    }

    var text: TerminalText {
        """
        \(merge.id)  \(merge.createdAt.text)  \(merge.provider)\(merge.dismissedAt == nil ? "" : "  dismissed")
          stays   \(survivor.summary)
          goes    \(absorbed.summary)
        """
    }
}

extension UserRecord {
    /// The user in one line, for a question at the terminal.
    var summary: TerminalText {
        let providers = identities.map(\.provider).joined(separator: ", ")
        let email = user.email == nil ? "" : user.isEmailVerified ? ", e-mail verified" : ", e-mail not verified"
        return """
            \(user.localID): \(TerminalText(names: [user.displayName, user.email]))\(email), \
            signs in with \(providers.isEmpty ? "nothing" : providers)\(user.isDisabled ? ", disabled" : "")
            """
    }
}
