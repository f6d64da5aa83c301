import BrokerStore
import ProviderKit

/// `withdrawals.create`: deletes the stored provider tokens of a user and queues the revocation of their grants.
package struct CreateWithdrawals: AdminOperation {
    package static let name = "withdrawals.create"
    package static let summary = "Withdraws a user's grants at providers. The identities stay linked."
    package static let scope: AdminScope? = .writeUsers

    /// A localId or an e-mail address.
    let user: String
    /// The id of a provider entry; all when absent.
    let provider: String?

    package struct Answer: Codable, Sendable {
        package let withdrawals: [ReceiptAnswer]
    }

    package init(user: String, provider: String?) {
        self.user = user
        self.provider = provider
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let localID = try await call.admin.user(named: user).user.localID
        let receipts = try await call.admin.accounts.revokeGrants(at: provider, of: localID, origin: call.origin)
        guard !receipts.isEmpty else {
            throw AdminFailure(
                code: "NO_SUCH_PROVIDER",
                provider.map { "the user has no identity of \($0)" } ?? "the user has no identity")
        }
        return Answer(withdrawals: receipts.map { ReceiptAnswer($0) })
    }
}

/// `withdrawals.retry`: makes one withdrawal due at once.
package struct RetryWithdrawal: AdminOperation {
    package static let name = "withdrawals.retry"
    package static let summary = "Attempts a withdrawal again, at once."
    package static let scope: AdminScope? = .writeUsers

    /// The receipt.
    let receipt: String

    package struct Answer: Codable, Sendable {
        package let retried: [WithdrawalAnswer]
    }

    package init(receipt: String) {
        self.receipt = receipt
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let retried = try await call.admin.outbox.withdrawals.retry(receipt, origin: call.origin).changed()
        return Answer(retried: [WithdrawalAnswer(retried)])
    }
}

/// `withdrawals.retry-parked`: makes parked withdrawals due at once, the oldest 1000 at a time.
package struct RetryParkedWithdrawals: AdminOperation {
    package static let name = "withdrawals.retry-parked"
    package static let summary = "Attempts the parked withdrawals again, at once: the oldest 1000."
    package static let scope: AdminScope? = .writeUsers
    package typealias Answer = RetryWithdrawal.Answer

    /// The id of a provider entry; all when absent.
    let provider: String?

    package init(provider: String?) {
        self.provider = provider
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let withdrawals = call.admin.outbox.withdrawals
        var retried: [WithdrawalAnswer] = []
        for withdrawal in try await withdrawals.list(
            QueueSelection([.provider: provider], state: .parked), includesSettled: false, limit: 1000)
        {
            // A worker may have ended it meanwhile.
            if case .done(let changed) = try await withdrawals.retry(withdrawal.id, origin: call.origin) {
                retried.append(WithdrawalAnswer(changed))
            }
        }
        return Answer(retried: retried)
    }
}

/// `withdrawals.drop`: ends a withdrawal without another attempt and erases its tokens.
package struct DropWithdrawal: AdminOperation {
    package static let name = "withdrawals.drop"
    package static let summary = "Gives up a withdrawal and erases its tokens."
    package static let scope: AdminScope? = .writeUsers

    /// The receipt.
    let receipt: String

    package struct Answer: Codable, Sendable {
        package let dropped: WithdrawalAnswer
    }

    package init(receipt: String) {
        self.receipt = receipt
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let dropped = try await call.admin.outbox.withdrawals.drop(receipt, origin: call.origin).changed()
        return Answer(dropped: WithdrawalAnswer(dropped))
    }
}

extension QueueChange<Withdrawal> {
    /// The changed withdrawal.
    ///
    /// - Throws: ``AdminFailure`` when nothing was changed.
    fileprivate func changed() throws(AdminFailure) -> Withdrawal {
        switch self {
        case .done(let withdrawal): return withdrawal
        case .tooLate(let withdrawal):
            throw AdminFailure(
                code: "WITHDRAWAL_ENDED", "the withdrawal is \(withdrawal.state.rawValue): its tokens are erased")
        case .notFound: throw .withdrawalNotFound
        }
    }
}
