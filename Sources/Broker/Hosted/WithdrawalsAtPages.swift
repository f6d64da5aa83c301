import BrokerStore
import ProviderKit

// The withdrawals of a user's grants, as the pages show them.
extension HostedPages {
    /// A withdrawal that has just begun.
    func part(_ receipt: WithdrawalReceipt) -> WithdrawalPart {
        let state: WithdrawalPart.State =
            switch receipt.state {
            case .queued: .queued
            case .nothingStored: .nothingStored
            case .notSupported: .notSupported
            }
        return WithdrawalPart(
            provider: providers.current.displayName(of: receipt.provider), state: state, receipt: receipt.id)
    }

    /// Withdrawals in their state of now. One that is not known any more stays as it was.
    func current(_ parts: [WithdrawalPart]) async throws -> [WithdrawalPart] {
        var current = parts
        for (index, part) in parts.enumerated() {
            guard let receipt = part.receipt, let found = try await openID.outbox.withdrawals.row(receipt),
                found.id.hasSameBytes(as: receipt)
            else { continue }
            current[index].state =
                switch found.progress.state {
                case .queued, .parked: .queued
                case .done: .done
                case .dead, .dropped: .failed
                }
        }
        return current
    }
}

extension AccountAtPages {
    /// The account that is to be deleted, with what then happens at its providers.
    func deletion(of session: SessionFacts) async throws -> DeletionDetails {
        let directory = pages.providers.current
        let connected = try await pages.accounts.connectedProviders(of: session)
        return DeletionDetails(
            account: session.user.accountLabel,
            withdrawals: connected.map { connected in
                let state: WithdrawalPart.State =
                    switch connected.withdrawal {
                    case .queued: .forecast
                    case .nothingStored: .nothingStored
                    case .notSupported: .notSupported
                    }
                return WithdrawalPart(
                    provider: directory.displayName(of: connected.identity.provider), state: state, receipt: nil)
            })
    }
}

extension User {
    /// The address or the name, by which its user knows the account.
    var accountLabel: String? { email ?? displayName }
}
