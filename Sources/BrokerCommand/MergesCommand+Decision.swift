import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension MergesCommand {
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Merge the two users.",
            discussion: """
                The remaining user gets the other user's identities with their provider tokens, and the other user's
                verified address if it has none. The other user is deleted; its id leads to the remaining user. Its
                sessions are revoked, except for app sessions that began with the merged account where the user proved
                to own both. For 30 days broker merges undo reverts the merge. A user never has two identities of one
                provider: if both users have an identity of a provider that did not merge them, unlink one of the two
                first.

                Examples:
                  broker merges approve 4mXq… --yes
                  broker merges approve 4mXq… --json --yes
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list.")
        var merge: String

        @Flag(name: .long, help: "Approve without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (candidate, survivor) = try await options.withCore { core in
                    let candidate = try await core.mergeAccounts.candidate(merge)
                    let question: TerminalText =
                        "\(candidate.text)\nMake these two one user? [y/N] "
                    guard try yes || Confirmation.ask(question) else {
                        throw CommandFailure(code: "NOT_CONFIRMED", "nothing was merged")
                    }
                    return (candidate, try await approve(core))
                }
                output(
                    ["survivor": .object(JSONObject(survivor)), "absorbed": .object(JSONObject(candidate.absorbed))],
                    text: "Merged \(candidate.absorbed.user.localID) into \(survivor.user.localID).")
            }
        }

        private func approve(_ core: BrokerCore) async throws -> UserRecord {
            do {
                return try await core.mergeAccounts.approve(merge, origin: .commandLine())
            } catch BrokerError.userDisabled {
                throw CommandFailure(
                    code: "USER_DISABLED",
                    "one of the two users is disabled: enable that user first, or dismiss the merge")
            } catch BrokerError.mergeConflict(let provider) {
                throw CommandFailure(
                    code: "MERGE_CONFLICT",
                    "both users have an identity of \(provider), and a user has at most one: unlink one with "
                        + "broker unlink --provider \(provider), then approve again")
            }
        }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Dismiss a merge. The two users stay separate.",
            discussion: """
                Further reports of the provider do not reopen the merge. `broker merges list --all` shows it, and
                `broker merges approve` still approves it.

                Examples:
                  broker merges dismiss 4mXq… --yes
                  broker merges dismiss 4mXq… --json --yes
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list.")
        var merge: String

        @Flag(name: .long, help: "Dismiss without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let dismissed = try await options.withCore { core in
                    let question: TerminalText =
                        "\(try await core.mergeAccounts.candidate(merge).text)\nKeep them apart? [y/N] "
                    guard try yes || Confirmation.ask(question) else {
                        throw CommandFailure(code: "NOT_CONFIRMED", "nothing was dismissed")
                    }
                    return try await core.mergeAccounts.dismiss(merge, origin: .commandLine())
                }
                output(.object(dismissed.document), text: "Dismissed merge \(dismissed.merge.id).")
            }
        }
    }
}
