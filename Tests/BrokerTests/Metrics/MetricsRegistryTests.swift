import CoreMetrics
import Testing

@testable import Broker

@Suite("metrics as Prometheus reads them")
struct MetricsRegistryTests {
    private static func lines(_ registry: MetricsRegistry) -> [String] {
        registry.text().split(separator: "\n").map(String.init)
    }

    @Test func `a series stands below its help and its type`() {
        let registry = MetricsRegistry()
        Gauge(label: "broker_store_up", dimensions: [], aggregate: false, factory: registry).record(1)

        #expect(
            Self.lines(registry) == [
                "# HELP broker_store_up Whether the store answered when the metrics were read.",
                "# TYPE broker_store_up gauge", "broker_store_up 1",
            ])
    }

    @Test func `one set of labels is one series, and values are escaped`() {
        let registry = MetricsRegistry()
        for _ in 0..<3 {
            Counter(
                label: "broker_rate_limit_refusals_total", dimensions: [("limit", "a\"b\\c\nd")], factory: registry
            ).increment(by: 2)
        }

        #expect(Self.lines(registry).last == #"broker_rate_limit_refusals_total{limit="a\"b\\c\nd"} 6"#)
    }

    @Test func `durations are counted in buckets that contain the smaller ones`() {
        let registry = MetricsRegistry()
        let timer = CoreMetrics.Timer(
            label: "broker_upstream_request_duration_seconds", dimensions: [("provider", "github.com")],
            factory: registry)
        for milliseconds in [1, 3, 30, 20_000] { timer.recordNanoseconds(Int64(milliseconds) * 1_000_000) }

        let text = registry.text()
        for (bound, count) in [("0.001", 1), ("0.0025", 1), ("0.005", 2), ("0.05", 3), ("10", 3), ("+Inf", 4)] {
            let name = "broker_upstream_request_duration_seconds_bucket"
            #expect(text.contains("\(name){provider=\"github.com\",le=\"\(bound)\"} \(count)\n"), "\(text)")
        }
        #expect(text.contains("broker_upstream_request_duration_seconds_sum{provider=\"github.com\"} 20.034\n"))
        #expect(text.contains("broker_upstream_request_duration_seconds_count{provider=\"github.com\"} 4\n"))
    }

    @Test func `what is not defined, or is of another type, is not exported`() {
        let registry = MetricsRegistry()
        Counter(label: "plugin_requests_total", dimensions: [("user", "ada")], factory: registry).increment()
        Counter(label: "broker_store_up", dimensions: [], factory: registry).increment()

        #expect(registry.text().isEmpty)
    }

    @Test func `concurrent increments are all counted`() async {
        let registry = MetricsRegistry()
        let counter = Counter(label: "broker_worker_turns_total", dimensions: [("worker", "w")], factory: registry)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1000 { counter.increment() } } }
        }

        #expect(Self.lines(registry).last == #"broker_worker_turns_total{worker="w"} 8000"#)
    }

    @Test func `names and help keep to the conventions`() {
        for definition in MetricDefinition.all {
            #expect(definition.name.wholeMatch(of: /(broker|process)_[a-z_]+/) != nil, "\(definition.name)")
            #expect((definition.kind == .counter) == definition.name.hasSuffix("_total"), "\(definition.name)")
            #expect(definition.help.hasSuffix("."), "\(definition.name)")
        }
    }
}
