package import BrokerStore
import Foundation

/// The outbox of grants that are to be revoked at their providers (Docs/Decisions/0021-withdrawal-outbox.md): flows queue
/// them, ``WithdrawalWorker`` revokes them, administrators see and change the rest.
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

    /// The result of an administrator's change.
    package enum Change: Sendable, Hashable {
        case done(Withdrawal)
        /// The withdrawal is done or dropped: its grant is erased.
        case tooLate(Withdrawal)
        case notFound
    }

    /// Withdrawals, oldest first: those of one state, or all that are neither done nor dropped.
    package func list(
        state: Withdrawal.State? = nil, provider: String? = nil, includesErased: Bool = false, limit: Int
    ) async throws -> [Withdrawal] {
        try await store.read {
            try $0.withdrawals(state: state, provider: provider, includesErased: includesErased, limit: limit)
        }
    }

    /// The withdrawal of a receipt.
    package func withdrawal(_ id: String) async throws -> Withdrawal? {
        try await store.read { try $0.withdrawal(id: id) }
    }

    /// Makes a withdrawal due at once, also a dead one, with the whole time until it is abandoned.
    package func retry(_ id: String, origin: Origin) async throws -> Change {
        try await change(id, "withdrawal.retried", origin) { transaction in
            try transaction.queueWithdrawalAgain(id: id, at: transaction.now)
        }
    }

    /// Ends a withdrawal without another attempt and erases its grant.
    package func drop(_ id: String, origin: Origin) async throws -> Change {
        try await change(id, "withdrawal.dropped", origin) { transaction in
            try transaction.dropWithdrawal(id: id, reason: "dropped by an administrator", at: transaction.now)
        }
    }

    private func change(
        _ id: String, _ event: String, _ origin: Origin,
        _ write: @escaping @Sendable (borrowing Transaction) throws -> Withdrawal?
    ) async throws -> Change {
        try await store.write(at: Timestamp(now()), by: origin) { transaction in
            guard let before = try transaction.withdrawal(id: id) else { return .notFound }
            // The sealed part names the user for the audit; a damaged row can be dropped all the same.
            let localID = (try? WithdrawnGrant(opening: before, with: sealer))?.localID
            guard let changed = try write(transaction) else { return .tooLate(before) }
            try transaction.audit(changed, event, of: localID)
            return .done(changed)
        }
    }
}
