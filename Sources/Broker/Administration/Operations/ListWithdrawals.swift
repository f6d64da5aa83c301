package import BrokerStore
import ProviderKit

/// A withdrawal of a grant at its provider; it contains no token.
package struct WithdrawalAnswer: Codable, Sendable {
    package let receipt: String
    package let state: String
    package let provider: String
    package let instance: String
    package let client: String
    package let tokenTypeHint: String
    package let cause: String
    package let attempts: Int64
    package let createdAt: Timestamp
    package let queuedAt: Timestamp
    package let reason: String?
    package let nextAttemptAt: Timestamp?
    package let endedAt: Timestamp?

    init(_ withdrawal: Withdrawal) {
        (receipt, state) = (withdrawal.id, withdrawal.state.rawValue)
        (provider, instance, client) = (withdrawal.provider, withdrawal.issuer, withdrawal.clientID)
        (tokenTypeHint, cause) = (withdrawal.tokenHint.rawValue, withdrawal.cause.rawValue)
        attempts = Int64(withdrawal.attempts)
        (createdAt, queuedAt) = (withdrawal.createdAt, withdrawal.queuedAt)
        (reason, nextAttemptAt, endedAt) = (withdrawal.reason, withdrawal.nextAttemptAt, withdrawal.endedAt)
    }
}

/// `withdrawals.list`: withdrawals, the oldest first.
package struct ListWithdrawals: AdminOperation {
    package static let name = "withdrawals.list"
    package static let summary = "Lists the withdrawals of grants at providers, the oldest first."
    package static let scope: AdminScope? = .readUsers

    /// Whether done and dropped withdrawals are included.
    let all: Bool?
    let state: Withdrawal.State?
    /// The id of a provider entry.
    let provider: String?
    /// The maximum number of withdrawals, 1 to 1000; 100 when absent.
    let limit: Int?

    package struct Answer: Codable, Sendable {
        package let withdrawals: [WithdrawalAnswer]
    }

    package init(all: Bool, state: Withdrawal.State?, provider: String?, limit: Int) {
        self.all = all
        self.state = state
        self.provider = provider
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try AdminContext.checked(limit: limit, standard: 100)
        let found = try await call.admin.outbox.withdrawals.list(
            QueueSelection([.provider: provider], state: state), includesSettled: all ?? false, limit: limit)
        return Answer(withdrawals: found.map { WithdrawalAnswer($0) })
    }
}

extension Withdrawal.State: Codable {}

/// `withdrawals.show`: the outcome of a withdrawal.
package struct ShowWithdrawal: AdminOperation {
    package static let name = "withdrawals.show"
    package static let summary = "Returns the outcome of a withdrawal."
    package static let scope: AdminScope? = .readUsers
    package typealias Answer = WithdrawalAnswer

    /// The receipt.
    let receipt: String

    package init(receipt: String) {
        self.receipt = receipt
    }

    package func run(for call: AdminCall) async throws -> WithdrawalAnswer {
        guard let found = try await call.admin.outbox.withdrawals.row(receipt) else {
            throw AdminFailure.withdrawalNotFound
        }
        return WithdrawalAnswer(found)
    }
}

extension AdminFailure {
    static let withdrawalNotFound = AdminFailure(
        code: "WITHDRAWAL_NOT_FOUND",
        "there is no withdrawal with this receipt: broker withdrawals list --all shows the stored ones")
}
