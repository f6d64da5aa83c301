import BrokerStore
import CoreMetrics

/// The work that waits in the store, which all brokers of a store report alike.
struct BacklogMetrics: Sendable {
    private let withdrawals = Dictionary(
        uniqueKeysWithValues: Withdrawal.State.allCases.filter { !$0.isErased }.map { state in
            (state.rawValue, Gauge(label: "broker_withdrawals", dimensions: [("state", state.rawValue)]))
        })
    private let storeUp = Gauge(label: "broker_store_up")

    /// - Parameter backlog: The withdrawals in each state that is not final.
    func record(_ backlog: [(state: String, count: Int64)]) {
        storeUp.record(1)
        for (state, gauge) in withdrawals {
            gauge.record(backlog.first { $0.state == state }?.count ?? 0)
        }
    }

    /// What waits is not known; the last numbers stay.
    func storeFailed() { storeUp.record(0) }
}
