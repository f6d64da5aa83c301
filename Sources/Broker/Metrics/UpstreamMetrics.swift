import CoreMetrics
import ProviderKit
import Synchronization

/// The counters of the requests to one provider.
final class UpstreamMetrics: Sendable {
    private struct Operation {
        /// By the first digit of the status; the first one without a response.
        let counters: [Counter]
        let duration: Timer
    }

    private let provider: String
    /// A plugin uses few of the steps.
    private let operations = Mutex<[ProviderError.Step: Operation]>([:])

    init(provider: String) {
        self.provider = provider
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - step: What it was for.
    ///   - status: The response's; nil when none arrived.
    ///   - duration: Its time.
    func sent(_ step: ProviderError.Step, status: Int?, duration: Duration) {
        let operation = operations.withLock { operations in
            if let known = operations[step] { return known }
            let labels = [("operation", step.rawValue), ("provider", provider)]
            let statuses = ["none"] + (1...5).map { "\($0)xx" }
            let new = Operation(
                counters: statuses.map {
                    Counter(label: "broker_upstream_requests_total", dimensions: labels + [("status", $0)])
                }, duration: Timer(label: "broker_upstream_request_duration_seconds", dimensions: labels))
            operations[step] = new
            return new
        }
        operation.counters[status.map { min(max($0 / 100, 1), 5) } ?? 0].increment()
        operation.duration.recordNanoseconds(duration.nanoseconds)
    }
}
