import CoreMetrics

/// Requests that met a rate limit.
struct LimitMetrics: Sendable {
    private let refusals: [Counter]

    /// - Parameter limits: The names of the limits; their positions stand for them.
    init(limits: [String]) {
        refusals = limits.map { Counter(label: "broker_rate_limit_refusals_total", dimensions: [("limit", $0)]) }
    }

    func refused(_ limit: Int) { refusals[limit].increment() }
}
