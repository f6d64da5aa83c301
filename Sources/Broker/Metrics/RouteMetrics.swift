import CoreMetrics

/// The counters of one route and method.
final class RouteMetrics: Sendable {
    /// By the first digit of the status.
    private let counters: [Counter]
    private let duration: Timer

    /// - Parameters:
    ///   - route: The template, never a path that was requested.
    ///   - method: One of the route's, or `other`.
    init(route: String, method: String) {
        let labels = [("method", method), ("route", route)]
        counters = (1...5).map {
            Counter(label: "broker_http_requests_total", dimensions: labels + [("status", "\($0)xx")])
        }
        duration = Timer(label: "broker_http_request_duration_seconds", dimensions: labels)
    }

    private static let inFlight = Meter(label: "broker_http_requests_in_flight")
    private static let connections = Meter(label: "broker_http_connections")
    /// Requests of unknown paths.
    static let unmatched = RouteMetrics(route: "unmatched", method: "other")

    static func requestBegan() { inFlight.increment() }
    static func requestEnded() { inFlight.decrement() }
    static func connectionOpened() { connections.increment() }
    static func connectionClosed() { connections.decrement() }

    func answered(_ status: Int, after duration: Duration) {
        counters[min(max(status / 100, 1), 5) - 1].increment()
        self.duration.recordNanoseconds(duration.nanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds.
    var nanoseconds: Int64 { components.seconds &* 1_000_000_000 &+ components.attoseconds / 1_000_000_000 }
}
