import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct MergesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merges", abstract: "List, approve and dismiss merges of users that a provider reported.",
        discussion: """
            A provider that merges accounts may report that two users of this broker are the same account. The broker
            stores the merge until you approve or dismiss it. With "autoMerge": true in the provider's entry of
            plugins.json the broker merges the users at once.
            """.paragraphs,
        subcommands: [List.self, Approve.self, Dismiss.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the pending merges, the oldest first.",
            discussion: """
                Examples:
                  broker merges list
                  broker merges list --all --limit 1000 --json
                """.paragraphs)

        @Flag(name: .long, help: "Include dismissed merges.")
        var all = false

        @Option(name: .long, help: "The maximum number of merges, 1 to 1000.")
        var limit = 100

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let merges = try await options.withCore {
                    try await $0.mergeAccounts.pending(includingDismissed: all, limit: limit)
                }
                output(
                    ["merges": .array(merges.map { .object($0.document) })],
                    text: merges.isEmpty ? "No merges." : merges.map(\.text).joined(separator: "\n\n"))
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
    fileprivate var summary: TerminalText {
        let providers = identities.map(\.provider).joined(separator: ", ")
        let email = user.email == nil ? "" : user.isEmailVerified ? ", e-mail verified" : ", e-mail not verified"
        return """
            \(user.localID): \(TerminalText(names: [user.displayName, user.email]))\(email), \
            signs in with \(providers.isEmpty ? "nothing" : providers)\(user.isDisabled ? ", disabled" : "")
            """
    }
}
