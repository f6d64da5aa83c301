import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension WithdrawalsCommand {
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

        @Argument(help: RetryWithdrawal.help("receipt"))
        var id: String?

        @Flag(name: .long, help: "Retry all parked withdrawals, the oldest 1000 at a time.")
        var parked = false

        @Option(name: .long, help: RetryParkedWithdrawals.help("provider"))
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
}
