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
        subcommands: [
            command(of: CreateWithdrawals.self), command(of: ListWithdrawals.self),
            command(of: ShowWithdrawal.self),
            Retry.self, command(of: DropWithdrawal.self),
        ])
}
