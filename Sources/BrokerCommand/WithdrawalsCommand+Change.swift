import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension WithdrawalsCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Withdraw a user's grants at providers. The identities stay linked.",
            discussion: """
                Deletes the stored provider tokens of the user, as after a leak, and queues the revocation of their
                grants. Sessions stay valid; the next sign-in brings new tokens. Cannot be undone.

                Examples:
                  broker withdrawals create ann@example.com
                  broker withdrawals create kX3… --provider github.com --yes --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @Option(name: .long, help: "Only the grants of the provider with this id.")
        var provider: String?

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireIrreversible(
                    "Delete the stored provider tokens of user \(user) and withdraw the grants?",
                    otherwise: "nothing was withdrawn")
                let answer = try await options.run(CreateWithdrawals(user: user, provider: provider))
                try output(answer) { "Deleted the stored tokens.\($0.withdrawals.text)" }
            }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Attempt withdrawals again, at once.",
            discussion: """
                A running broker attempts them within seconds, and has the whole time of `withdrawals.days` again. --parked
                retries every parked withdrawal, for after a fault of the configuration was mended.

                Examples:
                  broker withdrawals retry 5d41402abc4b2a76b9719d91
                  broker withdrawals retry --parked --provider apple.com --json
                """.paragraphs)

        @Argument(help: "The receipt.")
        var id: String?

        @Flag(name: .long, help: "Retry all parked withdrawals, the oldest 1000 at a time.")
        var parked = false

        @Option(name: .long, help: "With --parked: only those of the provider with this id.")
        var provider: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (id != nil) != parked else { throw ValidationError("Name a receipt, or add --parked.") }
            guard parked || provider == nil else { throw ValidationError("--provider goes with --parked.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer =
                    if let id {
                        try await options.run(RetryWithdrawal(receipt: id))
                    } else {
                        try await options.run(RetryParkedWithdrawals(provider: provider))
                    }
                try output(answer) { answer in
                    let lines = answer.retried.map { "Retrying \($0.receipt)." as TerminalText }
                    return lines.isEmpty ? "Nothing is parked." : lines.joined(separator: "\n")
                }
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop", abstract: "Give up a withdrawal and erase its tokens.",
            discussion: """
                The grant then stays at the provider until the user ends it there or it expires. Cannot be undone.

                Examples:
                  broker withdrawals drop 5d41402abc4b2a76b9719d91
                  broker withdrawals drop 5d41402abc4b2a76b9719d91 --yes --json
                """.paragraphs)

        @Argument(help: "The receipt.")
        var id: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let answer = try await options.withExecutor { run in
                    if !confirmation.yes {
                        let found = try await run(ShowWithdrawal(receipt: id))
                        try confirmation.require(
                            "Leave the grant of client \(found.client) at \(found.provider) as it is? [y/N] ",
                            otherwise: "nothing was dropped")
                    }
                    return try await run(DropWithdrawal(receipt: id))
                }
                try output(answer) { "Dropped \($0.dropped.receipt)." }
            }
        }
    }
}
