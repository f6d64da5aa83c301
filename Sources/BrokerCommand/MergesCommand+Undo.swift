import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension MergesCommand {
    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Undo a merge of the last 30 days.",
            discussion: """
                The merged user is restored under its old id, with its profile, identities and provider tokens, and
                without custom claims. All sessions of both users are revoked. What changed since the merge stays with
                the remaining user; custom claims that the merge gave it are removed. The command lists both, and what
                it cannot restore, before it asks. The provider's next report of the merge
                does not merge the two again; broker merges approve still does.

                Examples:
                  broker merges undo 4mXq…
                  broker merges undo 4mXq… --json --yes
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list --undoable.")
        var merge: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let outcome = try await options.withExecutor { run in
                    if !confirmation.yes {
                        let found = try await run(ShowMerge(id: merge))
                        // The operation refuses a pending merge with its reason.
                        if found.undoableUntil != nil {
                            try confirmation.require(
                                "\(found.text)\nMake these two users again? [y/N] ", otherwise: "nothing was undone")
                        }
                    }
                    return try await run(UndoMergeOperation(id: merge))
                }
                try output(outcome) { outcome in
                    let notes = outcome.conflicts.map { "\n  \($0.message)" as TerminalText }.joined()
                    let (restored, stayed) = (outcome.restored["localId"]?.string, outcome.survivor["localId"]?.string)
                    return "Restored \(restored ?? ""), who had been merged into \(stayed ?? "").\(notes)"
                }
            }
        }
    }
}
