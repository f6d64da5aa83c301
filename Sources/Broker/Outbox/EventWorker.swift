import BrokerStore
import Foundation
import Logging
import OAuth
import ProviderKit

/// Delivers queued events to webhooks and logout tokens to clients. Any number of brokers work on one queue: each claims
/// what it attempts.
///
/// A broker that is killed between the answer and its commit leaves a claim that runs out; another attempt then delivers
/// the event once more, with the same id.
package struct EventWorker: Sendable {
    private let events: Events
    /// The time from the queueing until a delivery is a dead letter.
    private let lifetime: Duration
    private let interval: Duration
    private let holder = RandomText.alphanumeric(22)

    /// How often a running server looks for due deliveries.
    package static let interval = Duration.seconds(1)
    /// How long a claim lasts: an attempt, and the writes around it.
    static let claimDuration = Duration.seconds(20)
    /// Attempts that one broker makes at one recipient at a time.
    static let batch = 16
    /// Recipients that one broker serves at a time.
    static let width = 32
    /// Batches of one recipient before others that wait are served.
    static let batchesPerRound = 16

    /// - Parameters:
    ///   - events: The queue.
    ///   - lifetime: The time from the queueing until a delivery is a dead letter.
    ///   - interval: How often a turn looks for due deliveries to other recipients while one takes its time.
    package init(_ events: Events, lifetime: Duration, interval: Duration = Self.interval) {
        self.events = events
        self.lifetime = lifetime
        self.interval = interval
    }

    /// Attempts everything that is due. A recipient that takes nothing waits for the next look.
    ///
    /// - Returns: The number of attempts.
    /// - Throws: A store's error. Claimed deliveries are due again when their claims run out.
    @discardableResult
    package func turn() async throws -> Int {
        let turn = QueueTurn(interval: interval, width: Self.width, due: dueTargets, serve: deliver)
        return try await turn()
    }

    private func dueTargets() async throws -> [EventTarget] {
        try await events.store.refreshEventSubscriptions()
        return try await events.store.dueEventTargets(at: Timestamp(events.now()))
    }

    private func deliver(to target: EventTarget) async throws -> QueueTurn<EventTarget>.Service {
        var service = QueueTurn<EventTarget>.Service()
        for _ in 0..<Self.batchesPerRound where !Task.isCancelled {
            let now = Timestamp(events.now())
            let claim = Withdrawal.Claim(holder: holder, until: now.advanced(by: Self.claimDuration))
            let claimed = try await events.store.claimDeliveries(claim, of: target, limit: Self.batch, at: now)
            service.attempts += claimed.count
            // What is due and cannot be claimed waits for an earlier event of its user.
            service.mayHaveMore = false
            guard !claimed.isEmpty else { break }
            let recipient = try await events.recipient(target)
            let delivered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for delivery in claimed { group.addTask { try await attempt(delivery, to: recipient) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            service.mayHaveMore = delivered > 0
            guard service.mayHaveMore else { break }
        }
        return service
    }

    /// - Returns: Whether the recipient took it.
    private func attempt(_ delivery: EventDelivery, to recipient: EventRecipient) async throws -> Bool {
        let result = await events.attempt(delivery, to: recipient)
        let now = Timestamp(events.now())
        let verdict = EventVerdict(result, of: delivery, at: now, end: delivery.queuedAt.advanced(by: lifetime))
        let isSettled = try await events.store.settle(
            delivery, as: verdict.state, reason: verdict.reason, nextAttempt: verdict.nextAttempt, at: now)
        if case .unsubscribed(let reason) = result {
            try await events.webhooks.disable(delivery.target.id, reason: reason, origin: Origin(.system))
        }
        if isSettled { log(delivery, verdict) }
        return result == .delivered
    }

    private func log(_ delivery: EventDelivery, _ verdict: EventVerdict) {
        var metadata: Logger.Metadata = [
            "event": "\(delivery.eventID)", "type": "\(delivery.type)",
            "\(delivery.target.kind)": "\(delivery.target.id)", "attempt": "\(delivery.attempts)",
        ]
        metadata["reason"] = verdict.reason.map { "\($0)" }
        switch verdict.state {
        case .delivered: Logger.current.debug("event delivered", metadata: metadata)
        case .dropped: Logger.current.notice("event dropped", metadata: metadata)
        case .queued: Logger.current.info("event not delivered; it is repeated", metadata: metadata)
        case .dead: Logger.current.error("event abandoned", metadata: metadata)
        }
    }
}
