import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension MergesCommand {
    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Undo a merge of the last 30 days.",
            discussion: """
                The merged user is restored under its old id, with its profile, identities and provider tokens. All
                sessions of both users are revoked. What changed since the merge stays with the remaining user; the
                command lists it, and what it cannot restore, before it asks. The provider's next report of the merge
                does not merge the two again; broker merges approve still does.

                Examples:
                  broker merges undo 4mXq…
                  broker merges undo 4mXq… --json --yes
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list --undoable.")
        var merge: String

        @Flag(name: .long, help: "Undo without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let outcome = try await options.withCore { core in
                    guard let candidate = try await core.undoMerge.candidate(merge) else {
                        throw CommandFailure(
                            code: "MERGE_NOT_FOUND",
                            "no merge with this id can be undone: broker merges list --undoable shows those that can")
                    }
                    let question: TerminalText = "\(candidate.text)\nMake these two users again? [y/N] "
                    guard try yes || Confirmation.ask(question) else {
                        throw CommandFailure(code: "NOT_CONFIRMED", "nothing was undone")
                    }
                    return try await core.undoMerge(merge, origin: .commandLine())
                }
                let notes = outcome.conflicts.map { "\n  \($0.message)" as TerminalText }.joined(separator: "")
                output(
                    [
                        "survivor": .object(JSONObject(outcome.survivor)),
                        "restored": .object(JSONObject(outcome.restored)),
                        "conflicts": .array(outcome.conflicts.map(\.document)),
                    ],
                    text: """
                        Restored \(outcome.restored.user.localID), who had been merged into \
                        \(outcome.survivor.user.localID).\(notes)
                        """)
            }
        }
    }
}

extension UndoMerge.Candidate {
    var document: JSONObject {
        [
            "id": .string(id), "provider": .string(provider), "mergedAt": mergedAt.document,
            "undoableUntil": expiresAt.document, "survivor": .object(JSONObject(survivor)),
            "absorbed": .object(JSONObject(absorbed)), "conflicts": .array(conflicts.map(\.document)),
        ]
    }

    var text: TerminalText {
        let notes = conflicts.map { "\n  note    \($0.message)" as TerminalText }.joined(separator: "")
        return """
            \(id)  \(mergedAt.text)  \(provider)  can be undone until \(expiresAt.text)
              stays   \(survivor.summary)
              merged  \(absorbed.summary)\(notes)
            """
    }
}

extension UndoConflict {
    fileprivate var document: JSONValue {
        var object: JSONObject = ["code": .string(code), "message": .string(message)]
        object["providerId"] = provider.map(JSONValue.string)
        object["localId"] = localID.map(JSONValue.string)
        return .object(object)
    }
}
