import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension MergesCommand {
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve", abstract: "Merge the two users.",
            discussion: """
                The remaining user gets the other user's identities with their provider tokens, and the other user's
                verified address if it has none. The other user is deleted; its id leads to the remaining user. Its
                sessions are revoked, except for app sessions that began with the merged account where the user proved
                to own both. For 30 days broker merges undo reverts the merge. A user never has two identities of one
                provider: if both users have an identity of a provider that did not merge them, unlink one of the two
                first.

                Custom claims are rights that you have given to one of the two users. If the user who goes has some that
                the other one lacks or has otherwise, read both sets in broker merges show, and decide with --claims:
                survivor keeps those of the user who stays, absorbed replaces them.

                Examples:
                  broker merges approve 4mXq… --yes
                  broker merges approve 4mXq… --claims survivor --yes
                  broker merges approve 4mXq… --json --yes
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list.")
        var merge: String

        @Option(name: .long, help: "Whose custom claims the merged user has: survivor or absorbed.")
        var claims: MergedClaims?

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let answer = try await options.withExecutor { run in
                    if !confirmation.yes {
                        let found = try await run(ShowMerge(id: merge))
                        try confirmation.require(
                            "\(found.text)\nMake these two users one? [y/N] ", otherwise: "nothing was merged")
                    }
                    return try await run(ApproveMerge(id: merge, claims: claims))
                }
                try output(answer) { answer in
                    let (gone, stays) = (answer.absorbed["localId"]?.string, answer.survivor["localId"]?.string)
                    return "Merged \(gone ?? "") into \(stays ?? "")."
                }
            }
        }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss", abstract: "Dismiss a merge. The two users stay separate.",
            discussion: """
                Further reports of the provider do not reopen the merge. `broker merges list --all` shows it, and
                `broker merges approve` still approves it.

                Examples:
                  broker merges dismiss 4mXq… --yes
                  broker merges dismiss 4mXq… --json --yes
                """.paragraphs)

        @Argument(help: "The merge's id, shown by broker merges list.")
        var merge: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let dismissed = try await options.withExecutor { run in
                    if !confirmation.yes {
                        let found = try await run(ShowMerge(id: merge))
                        try confirmation.require(
                            "\(found.text)\nKeep them apart? [y/N] ", otherwise: "nothing was dismissed")
                    }
                    return try await run(DismissMerge(id: merge))
                }
                try output(dismissed) { "Dismissed merge \($0.id)." }
            }
        }
    }
}

extension MergedClaims: ExpressibleByArgument {}
