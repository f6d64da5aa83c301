import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct WithdrawalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdrawals",
        abstract: "Request, list, show, retry and drop the revocation of grants at providers.",
        discussion: """
            When a user is deleted or an identity is unlinked, the broker queues the withdrawal of the grant at its
            provider. A running broker revokes it, and repeats that until the provider answers. A withdrawal is queued,
            parked (the provider refused the broker's client: an operator has to act), dead (abandoned after
            `withdrawals.days`), done, or dropped. Tokens are never shown.
            """.paragraphs,
        subcommands: [Create.self, List.self, Show.self, Retry.self, Drop.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List withdrawals, the oldest first.",
            discussion: """
                Lists queued, parked and dead withdrawals. --all includes done and dropped ones, which are stored for
                30 days.

                Examples:
                  broker withdrawals list
                  broker withdrawals list --state parked --provider apple.com --json
                """.paragraphs)

        @Flag(name: .long, help: "Include done and dropped withdrawals.")
        var all = false

        @Option(name: .long, help: "Only withdrawals in this state: \(Withdrawal.State.names).")
        var state: Withdrawal.State?

        @Option(name: .long, help: "Only withdrawals of the provider with this id.")
        var provider: String?

        @Option(name: .long, help: "The maximum number of withdrawals, 1 to 1000.")
        var limit = 100

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(
                    ListWithdrawals(all: all, state: state, provider: provider, limit: limit))
                try output(answer) { $0.withdrawals.isEmpty ? "No withdrawals." : Self.table.text($0.withdrawals) }
                output.noteLimit(limit, reachedBy: answer.withdrawals.count)
            }
        }

        private static var table: Table<WithdrawalAnswer> {
            Table(
                .init("RECEIPT") { $0.receipt }, .init("STATE") { $0.state }, .init("PROVIDER") { $0.provider },
                .init("CAUSE") { $0.cause }, .init("QUEUED") { $0.queuedAt.minute },
                .init("ATTEMPTS") { String($0.attempts) }, .init("NEXT") { $0.nextAttemptAt?.minute ?? "" },
                .init("REASON", mayBeCut: true) { $0.reason ?? "" })
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the outcome of a withdrawal.",
            discussion: """
                Examples:
                  broker withdrawals show 5d41402abc4b2a76b9719d91
                  broker withdrawals show 5d41402abc4b2a76b9719d91 --json
                """.paragraphs)

        @Argument(help: "The receipt.")
        var id: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try output(try await options.run(ShowWithdrawal(receipt: id))) { $0.text }
            }
        }
    }
}

extension Withdrawal.State: ExpressibleByArgument {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension WithdrawalAnswer {
    fileprivate var text: TerminalText {
        let lines: [(String, String?)] = [
            ("receipt", receipt), ("state", state), ("reason", reason), ("provider", provider),
            ("instance", instance), ("client", client), ("cause", cause), ("attempts", String(attempts)),
            ("queued", queuedAt.text), ("next attempt", nextAttemptAt?.text), ("ended", endedAt?.text),
        ]
        let shown = lines.compactMap { name, value in
            value.map { TerminalText("\(name.padding(to: 14))\($0)") }
        }
        return shown.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 1)) }
}
