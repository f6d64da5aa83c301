import CoreMetrics
import Foundation

/// The counters of one kind of background work.
struct WorkerMetrics: Sendable {
    /// That of the turn that this task runs.
    @TaskLocal static var current: WorkerMetrics?

    private let turns: Counter
    private let failures: Counter
    private let duration: CoreMetrics.Timer
    private let lastTurn: Gauge

    init(worker: String) {
        let labels = [("worker", worker)]
        turns = Counter(label: "broker_worker_turns_total", dimensions: labels)
        failures = Counter(label: "broker_worker_failures_total", dimensions: labels)
        duration = CoreMetrics.Timer(label: "broker_worker_turn_duration_seconds", dimensions: labels)
        lastTurn = Gauge(label: "broker_worker_last_turn_timestamp_seconds", dimensions: labels)
    }

    /// Counts the failure of the current turn.
    static func failed() { current?.failures.increment() }

    /// Runs a turn.
    func turn<Value>(_ work: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer {
            turns.increment()
            duration.recordNanoseconds((ContinuousClock.now - start).nanoseconds)
            lastTurn.record(Date().timeIntervalSince1970.rounded())
        }
        return try await Self.$current.withValue(self, operation: work)
    }
}
