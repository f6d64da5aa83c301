import BrokerStore
import Foundation
import Logging
import OAuth
import ProviderKit

/// Revokes queued grants at their providers, each provider's apart from the others'. Any number of brokers work on one
/// queue: each claims what it attempts.
///
/// A broker that is killed between the provider's answer and the commit leaves a claim that runs out; another attempt then
/// revokes a revoked grant, which is a success.
package struct WithdrawalWorker: Sendable {
    private let withdrawals: Withdrawals
    /// The time from the queueing until a withdrawal is a dead letter.
    private let lifetime: Duration
    private let interval: Duration
    private let holder = RandomText.alphanumeric(22)

    /// How often a running server looks for due withdrawals.
    package static let interval = Duration.seconds(2)
    /// How long a claim lasts: an attempt, and the writes around it.
    static let claimDuration = Duration.seconds(30)
    /// Attempts that one broker makes at one provider at a time.
    static let batch = 8
    /// Providers that one broker serves at a time.
    static let width = 32

    /// - Parameters:
    ///   - withdrawals: The queue.
    ///   - lifetime: The time from the queueing until a withdrawal is a dead letter.
    ///   - interval: How often a turn looks for due withdrawals of other providers while one takes its time.
    package init(_ withdrawals: Withdrawals, lifetime: Duration, interval: Duration = Self.interval) {
        self.withdrawals = withdrawals
        self.lifetime = lifetime
        self.interval = interval
    }

    /// Attempts everything that is due.
    ///
    /// - Returns: The number of attempts.
    /// - Throws: A store's error. Claimed withdrawals are due again when their claims run out.
    @discardableResult
    package func turn() async throws -> Int {
        let turn = QueueTurn(interval: interval, width: Self.width, due: dueProviders, serve: attemptBatch)
        return try await turn()
    }

    private func dueProviders() async throws -> [String] {
        let now = Timestamp(withdrawals.now())
        return try await withdrawals.store.read { try $0.providersWithDueWithdrawals(at: now) }
    }

    private func attemptBatch(of provider: String) async throws -> QueueTurn<String>.Service {
        let now = Timestamp(withdrawals.now())
        let claim = Withdrawal.Claim(holder: holder, until: now.advanced(by: Self.claimDuration))
        let claimed = try await withdrawals.store.write(at: now) {
            try $0.claimWithdrawals(claim, of: provider, limit: Self.batch, at: now)
        }
        try await withThrowingTaskGroup { group in
            for withdrawal in claimed { group.addTask { try await attempt(withdrawal) } }
            try await group.waitForAll()
        }
        return .init(attempts: claimed.count, mayHaveMore: !claimed.isEmpty)
    }

    private func attempt(_ withdrawal: Withdrawal) async throws {
        let withdrawn: WithdrawnGrant
        do throws(SealError) {
            withdrawn = try WithdrawnGrant(opening: withdrawal, with: withdrawals.sealer)
        } catch {
            try await settle(withdrawal, .parked("the sealed grant does not open (\(error))"), localID: nil)
            return
        }
        let attempt = WithdrawalAttempt(
            withdrawal: withdrawal, withdrawn: withdrawn, vault: withdrawals.vault, store: withdrawals.store)
        let result = try await attempt(withdrawals.providers.current)
        try await settle(withdrawal, result, localID: withdrawn.localID)
    }

    /// Writes the result with its audit entry. A claim that was lost writes nothing: another broker attempts it again.
    private func settle(
        _ withdrawal: Withdrawal, _ result: WithdrawalAttempt.Result, localID: String?
    ) async throws {
        let now = Timestamp(withdrawals.now())
        let verdict = WithdrawalVerdict(
            result, of: withdrawal, at: now, end: withdrawal.queuedAt.advanced(by: lifetime))
        let isSettled = try await withdrawals.store.write(at: now) { transaction in
            guard
                try transaction.settle(
                    withdrawal, as: verdict.state, reason: verdict.reason, nextAttempt: verdict.nextAttempt, at: now)
            else { return false }
            guard verdict.state != .queued else { return true }
            try transaction.audit(
                withdrawal, "withdrawal.\(verdict.state.rawValue)", reason: verdict.reason, of: localID)
            return true
        }
        if isSettled { log(withdrawal, verdict) }
    }

    private func log(_ withdrawal: Withdrawal, _ verdict: WithdrawalVerdict) {
        var metadata: Logger.Metadata = [
            "receipt": "\(withdrawal.id)", "provider": "\(withdrawal.provider)", "attempt": "\(withdrawal.attempts)",
        ]
        metadata["reason"] = verdict.reason.map { "\($0)" }
        switch verdict.state {
        case .done: Logger.current.info("grant withdrawn", metadata: metadata)
        case .dropped: Logger.current.notice("withdrawal dropped", metadata: metadata)
        case .queued: Logger.current.info("withdrawal failed; it is repeated", metadata: metadata)
        case .parked: Logger.current.error("withdrawal parked; it needs an operator", metadata: metadata)
        case .dead: Logger.current.error("withdrawal abandoned", metadata: metadata)
        }
    }
}

/// The state of a withdrawal after an attempt.
struct WithdrawalVerdict: Sendable, Hashable {
    let state: Withdrawal.State
    let reason: String?
    /// Nil for states without a further attempt.
    let nextAttempt: Timestamp?

    static let backoff = RetryBackoff(first: .seconds(30), longest: .seconds(3600))

    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - withdrawal: The row as it was claimed.
    ///   - now: The moment.
    ///   - end: When a withdrawal that still fails is abandoned. A parked one is attempted once more then.
    init(_ result: WithdrawalAttempt.Result, of withdrawal: Withdrawal, at now: Timestamp, end: Timestamp) {
        switch result {
        case .done(let note): (state, reason, nextAttempt) = (.done, note, nil)
        case .dropped(let why): (state, reason, nextAttempt) = (.dropped, why, nil)
        case .interrupted: (state, reason, nextAttempt) = (.queued, "the broker stopped meanwhile", now)
        case .parked(let why), .failed(let why, _):
            reason = why
            guard now < end else {
                (state, nextAttempt) = (.dead, nil)
                return
            }
            if case .failed(_, let retryAfter) = result {
                let wait = Self.backoff.wait(afterAttempt: withdrawal.attempts, retryAfter: retryAfter)
                (state, nextAttempt) = (.queued, min(now.advanced(by: wait), end))
            } else {
                (state, nextAttempt) = (.parked, end)
            }
        }
    }
}

extension Transaction {
    /// Adds an audit entry about a withdrawal.
    func audit(
        _ withdrawal: Withdrawal, _ event: String, reason: String? = nil, of localID: String?
    ) throws(StoreError) {
        var detail: JSONObject = [
            "receipt": .string(withdrawal.id), "cause": .string(withdrawal.cause.rawValue),
            "client": .string(withdrawal.clientID),
        ]
        detail["reason"] = reason.map(JSONValue.string)
        try audit(
            event, of: localID, provider: withdrawal.provider, subjectHash: withdrawal.subjectHash, detail: detail)
    }
}
