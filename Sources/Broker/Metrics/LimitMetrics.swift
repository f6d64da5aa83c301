import CoreMetrics

/// Requests that met a rate limit, and those that none applies to.
struct LimitMetrics: Sendable {
    private let refusals: [Counter]
    private let unknownClients = Counter(label: "broker_http_unknown_clients_total")

    /// - Parameter limits: The names of the limits; their positions stand for them.
    init(limits: [String]) {
        refusals = limits.map { Counter(label: "broker_rate_limit_refusals_total", dimensions: [("limit", $0)]) }
    }

    func refused(_ limit: Int) { refusals[limit].increment() }

    func cameFromUnknownClient() { unknownClients.increment() }
}
