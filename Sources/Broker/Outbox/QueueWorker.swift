import BrokerStore
import Logging
import OAuth

/// Attempts the due rows of a queue, each recipient's apart from the others'. Any number of brokers work on one queue:
/// each claims what it attempts.
///
/// A broker that is killed between the recipient's answer and the commit leaves a claim that runs out; the row is then
/// attempted again.
struct QueueWorker<Work: QueuedWork>: Sendable {
    private typealias Recipient = Work.Element.Recipient

    private let work: Work
    /// The time from the queueing until a row is a dead letter.
    private let lifetime: Duration
    private let interval: Duration
    private let holder = RandomText.alphanumeric(22)

    static var interval: Duration { Work.pace.interval }
    static var claimDuration: Duration { Work.pace.claimDuration }
    static var batch: Int { Work.pace.batch }

    /// - Parameters:
    ///   - work: The queue.
    ///   - lifetime: The time from the queueing until a row is a dead letter.
    ///   - interval: How often a turn looks for due rows of other recipients while one takes its time.
    init(_ work: Work, lifetime: Duration, interval: Duration = Self.interval) {
        self.work = work
        self.lifetime = lifetime
        self.interval = interval
    }

    /// Attempts everything that is due.
    ///
    /// - Returns: The number of attempts.
    /// - Throws: A store's error. Claimed rows are due again when their claims run out.
    @discardableResult
    func turn() async throws -> Int {
        let turn = QueueTurn(interval: interval, width: Work.pace.width, due: dueRecipients, serve: serve)
        return try await turn.run()
    }

    private func dueRecipients() async throws -> [Recipient] {
        try await work.prepareLook()
        return try await work.store.dueRecipients(of: Work.Element.self, at: work.now)
    }

    private func serve(_ recipient: Recipient) async throws -> QueueTurn<Recipient>.Service {
        var service = QueueTurn<Recipient>.Service()
        for _ in 0..<Work.pace.batchesPerRound where !Task.isCancelled {
            let now = work.now
            let claim = QueueClaim(holder: holder, until: now.advanced(by: Self.claimDuration))
            let claimed = try await work.store.claim(
                Work.Element.self, by: claim, of: recipient, limit: Self.batch, at: now)
            service.attempts += claimed.count
            // A row that is due and cannot be claimed waits for an earlier one.
            service.mayHaveMore = false
            guard !claimed.isEmpty else { break }
            let context = try await work.prepare(for: recipient)
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for row in claimed { group.addTask { try await attempt(row, at: recipient, context) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            service.mayHaveMore = done > 0 || !Work.pace.waitsAfterFailure
            guard service.mayHaveMore else { break }
        }
        return service
    }

    /// - Returns: Whether the attempt succeeded.
    private func attempt(_ row: Work.Element, at recipient: Recipient, _ context: Work.Context) async throws -> Bool {
        let result = try await work.attempt(row, context)
        let now = work.now
        let transition = QueueTransition<Work.Element.State>(
            result, ofAttempt: row.attempts, backoff: Work.pace.backoff, at: now,
            end: row.queuedAt.advanced(by: lifetime))
        let isWritten = try await settle(row, transition, at: now)
        if case .unsubscribed(let reason) = result { try await work.unsubscribe(recipient, reason: reason) }
        if isWritten { log(row, transition) }
        return result.isDone
    }

    /// Writes the result, with its audit entry. A claim that was lost writes nothing: another broker attempts the row
    /// again.
    private func settle(
        _ row: Work.Element, _ transition: QueueTransition<Work.Element.State>, at now: Timestamp
    ) async throws -> Bool {
        guard let audit = work.audit, transition.state != .queued else {
            return try await work.store.settle(
                row, as: transition.state, reason: transition.reason, nextAttempt: transition.nextAttempt, at: now)
        }
        return try await work.store.write(at: now) { transaction in
            guard
                try transaction.settle(
                    row, as: transition.state, reason: transition.reason, nextAttempt: transition.nextAttempt, at: now)
            else { return false }
            try audit(transition.state.rawValue, row, transition.reason, transaction)
            return true
        }
    }

    private func log(_ row: Work.Element, _ transition: QueueTransition<Work.Element.State>) {
        var metadata = work.metadata(of: row)
        metadata["attempt"] = "\(row.attempts)"
        metadata["reason"] = transition.reason.map { "\($0)" }
        let message = work.message(of: transition.state)
        Logger.current.log(level: message.level, message.text, metadata: metadata)
    }
}
