import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension WithdrawalsCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw a user's grants at providers. The identities stay linked.",
            discussion: """
                Deletes the stored provider tokens of the user, as after a leak, and queues the revocation of their
                grants. Sessions stay valid; the next sign-in brings new tokens.

                Examples:
                  broker withdrawals create ann@example.com
                  broker withdrawals create kX3… --provider github.com --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @Option(name: .long, help: "Only the grants of the provider with this id.")
        var provider: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let receipts = try await options.withCore { core in
                    let user = try await core.user(named: user).user
                    return try await core.revokeGrants(at: provider, of: user.localID, origin: .commandLine())
                }
                guard !receipts.isEmpty else {
                    throw CommandFailure(
                        code: "NO_SUCH_PROVIDER",
                        provider.map { "the user has no identity of \($0)" } ?? "the user has no identity")
                }
                output(["withdrawals": receipts.document], text: "Deleted the stored tokens.\(receipts.text)")
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

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (id != nil) != parked else { throw ValidationError("Name a receipt, or add --parked.") }
            guard parked || provider == nil else { throw ValidationError("--provider goes with --parked.") }
        }

        func run() async throws {
            try await output.reporting {
                let retried = try await options.withCore { core in
                    if let id { return [try await core.withdrawals.retry(id, origin: .commandLine()).changed()] }
                    return try await retryParked(core)
                }
                output(
                    ["retried": .array(retried.map { .object($0.document) })],
                    text: TerminalText(
                        escapingLines: retried.isEmpty
                            ? "Nothing is parked." : retried.map { "Retrying \($0.id)." }.joined(separator: "\n")))
            }
        }

        private func retryParked(_ core: BrokerCore) async throws -> [Withdrawal] {
            let origin = Origin.commandLine()
            var retried: [Withdrawal] = []
            for withdrawal in try await core.withdrawals.list(state: .parked, provider: provider, limit: 1000) {
                // A worker may have ended it meanwhile.
                if case .done(let changed) = try await core.withdrawals.retry(withdrawal.id, origin: origin) {
                    retried.append(changed)
                }
            }
            return retried
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give up a withdrawal and erase its tokens.",
            discussion: """
                The grant then stays at the provider until the user ends it there or it expires. Cannot be undone.

                Examples:
                  broker withdrawals drop 5d41402abc4b2a76b9719d91
                  broker withdrawals drop 5d41402abc4b2a76b9719d91 --yes --json
                """.paragraphs)

        @Argument(help: "The receipt.")
        var id: String

        @Flag(name: .long, help: "Drop without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let dropped = try await options.withCore { core in
                    guard let found = try await core.withdrawals.withdrawal(id) else {
                        throw CommandFailure.withdrawalNotFound
                    }
                    let question: TerminalText =
                        "Leave the grant of client \(found.clientID) at \(found.provider) as it is? [y/N] "
                    guard try yes || Confirmation.ask(question) else {
                        throw CommandFailure(code: "NOT_CONFIRMED", "nothing was dropped")
                    }
                    return try await core.withdrawals.drop(id, origin: .commandLine()).changed()
                }
                output(["dropped": .object(dropped.document)], text: "Dropped \(dropped.id).")
            }
        }
    }
}

extension Withdrawals.Change {
    /// The changed withdrawal.
    ///
    /// - Throws: ``CommandFailure`` when nothing was changed.
    fileprivate func changed() throws(CommandFailure) -> Withdrawal {
        switch self {
        case .done(let withdrawal): return withdrawal
        case .tooLate(let withdrawal):
            throw CommandFailure(
                code: "WITHDRAWAL_ENDED", "the withdrawal is \(withdrawal.state.rawValue): its tokens are erased")
        case .notFound: throw .withdrawalNotFound
        }
    }
}
