import CoreMetrics
import Synchronization

/// The metrics of the calls of one entry's plugin. Plugins that keep their time have none.
final class PluginMetrics: Sendable {
    private struct Handles {
        let overruns: Counter
        let unended: Gauge
    }

    private let provider: String
    private let handles = Mutex<Handles?>(nil)

    init(provider: String) {
        self.provider = provider
    }

    /// Counts a call that was given up at its deadline.
    func overran() { made().overruns.increment() }

    /// Records the number of calls that were given up and have not ended.
    func record(unended: Int) { made().unended.record(unended) }

    private func made() -> Handles {
        handles.withLock { handles in
            if let handles { return handles }
            let labels = [("provider", provider)]
            let new = Handles(
                overruns: Counter(label: "broker_plugin_overruns_total", dimensions: labels),
                unended: Gauge(label: "broker_plugin_unended_calls", dimensions: labels))
            handles = new
            return new
        }
    }
}
