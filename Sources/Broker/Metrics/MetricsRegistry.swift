package import CoreMetrics
import Foundation
import Synchronization

/// The series of this process, and their text for Prometheus.
///
/// Series are made once, when what counts them is made; counting is an atomic addition.
package final class MetricsRegistry: MetricsFactory, Sendable {
    private struct Entry {
        let labels: String
        let series: any MetricSeries
    }

    private let families = Mutex<[String: [String: Entry]]>([:])

    package init() {}

    /// That of the process, once ``install()`` was called.
    static let process = MetricsRegistry()
    private static let isInstalled = Mutex(false)

    /// Has everything in this process counted from now on. To be called before anything is made that counts.
    package static func install() {
        let isFirst = isInstalled.withLock { installed in
            defer { installed = true }
            return !installed
        }
        if isFirst { MetricsSystem.bootstrap(process) }
    }

    /// Everything that was counted, in the text format of Prometheus.
    package func text() -> String {
        let families = families.withLock(\.self)
        var text = ""
        for definition in MetricDefinition.all {
            guard let entries = families[definition.name] else { continue }
            var samples = ""
            for entry in entries.values.sorted(by: { $0.labels < $1.labels }) {
                entry.series.append(to: &samples, name: definition.name, labels: entry.labels)
            }
            guard !samples.isEmpty else { continue }
            text += "# HELP \(definition.name) \(definition.help)\n"
            text += "# TYPE \(definition.name) \(definition.kind.rawValue)\n" + samples
        }
        return text
    }

    private func series<Series: MetricSeries>(
        _ kind: MetricDefinition.Kind, _ label: String, _ dimensions: [(String, String)], _ make: () -> Series
    ) -> Series? {
        guard MetricDefinition.byName[label]?.kind == kind else { return nil }
        let labels = MetricText.labels(dimensions)
        return families.withLock { families in
            if let found = families[label]?[labels] { return found.series as? Series }
            let series = make()
            families[label, default: [:]][labels] = Entry(labels: labels, series: series)
            return series
        }
    }

    // What swift-metrics asks for; a metric that is not defined is not counted.

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, dimensions) { CounterSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, dimensions) { CounterSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions) { GaugeSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        series(.gauge, label, dimensions) { GaugeSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(.histogram, label, dimensions) { HistogramSeries() } ?? NOOPMetricsHandler.instance
    }

    // Series live as long as the process: a provider that is removed keeps what was counted.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
