import BrokerStore
import Foundation

/// The outbox of grants that are to be revoked at their providers (Docs/Decisions/0021-withdrawal-outbox.md).
package struct Withdrawals: Sendable {
    let store: Store
    let vault: GrantVault
    let sealer: Sealer
    let providers: ProviderConfiguration
    let now: @Sendable () -> Date

    init(
        store: Store, masterKey: MasterKey, providers: ProviderConfiguration, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        vault = GrantVault(masterKey)
        sealer = Sealer(masterKey, for: .withdrawals)
        self.providers = providers
        self.now = now
    }

    /// Begins to withdraw grants. A flow calls it before its transaction and queues within.
    func order(_ cause: Withdrawal.Cause) -> WithdrawalOrder {
        WithdrawalOrder(cause, vault: vault, sealer: sealer, providers: providers)
    }
}
