import BrokerStore
import CoreMetrics
import Foundation
import Synchronization

/// The work that waits in the store, which all brokers of a store report alike.
final class BacklogMetrics: Sendable {
    private let withdrawals = gauges(
        "broker_withdrawals", Withdrawal.State.allCases.filter { !$0.isSettled }.map(\.rawValue))
    private let deliveries = gauges(
        "broker_event_deliveries", EventDelivery.State.allCases.filter { !$0.isSettled }.map(\.rawValue))
    private let storeUp = Gauge(label: "broker_store_up")
    private let countedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Counting reads many rows, and several Prometheus servers may ask.
    private static let interval = Duration.seconds(30)

    /// Whether the last count is old enough for another one; then it counts as made.
    private var isDue: Bool {
        countedAt.withLock { countedAt in
            let now = ContinuousClock.now
            if let countedAt, now - countedAt < Self.interval { return false }
            countedAt = now
            return true
        }
    }

    /// Asks the store. When it does not answer, the last numbers stay.
    func collect(from store: Store) async {
        do {
            let isDue = isDue
            let (withdrawals, deliveries) = try await store.read { transaction in
                guard isDue else {
                    _ = try transaction.schemaVersion()
                    return ([(state: String, count: Int64)]?.none, [(state: String, count: Int64)]?.none)
                }
                return (try transaction.backlog(of: Withdrawal.self), try transaction.backlog(of: EventDelivery.self))
            }
            Self.record(withdrawals, in: self.withdrawals)
            Self.record(deliveries, in: self.deliveries)
            storeUp.record(1)
        } catch {
            failed()
        }
    }

    /// Notes that the store did not answer.
    func failed() {
        countedAt.withLock { $0 = nil }
        storeUp.record(0)
    }

    private static func gauges(_ label: String, _ states: [String]) -> [String: Gauge] {
        Dictionary(uniqueKeysWithValues: states.map { ($0, Gauge(label: label, dimensions: [("state", $0)])) })
    }

    private static func record(_ counts: [(state: String, count: Int64)]?, in gauges: [String: Gauge]) {
        guard let counts else { return }
        for (state, gauge) in gauges { gauge.record(counts.first { $0.state == state }?.count ?? 0) }
    }
}
