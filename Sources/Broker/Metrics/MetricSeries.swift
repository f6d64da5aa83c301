import CoreMetrics
import Synchronization

/// One series of a metric: a value for one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// Appends the sample lines; none for a counter or histogram that has counted nothing.
    func append(to text: inout String, name: String, labels: String)
}

/// A counter. Unused ones are not exported: a route has one for each class of status.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    /// Doubles count up to 2^53 exactly, and seconds need fractions.
    private let bits = Atomic<UInt64>(0)

    func increment(by amount: Int64) { bits.add(Double(max(amount, 0))) }
    func increment(by amount: Double) { bits.add(max(amount, 0)) }
    func reset() { bits.store(0, ordering: .relaxed) }

    func append(to text: inout String, name: String, labels: String) {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        guard value > 0 else { return }
        text += "\(name)\(MetricText.braces(labels)) \(MetricText.number(value))\n"
    }
}

/// A value that goes up and down.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let bits = Atomic<UInt64>(0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { bits.add(amount) }
    func decrement(by amount: Double) { bits.add(-amount) }

    func append(to text: inout String, name: String, labels: String) {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        text += "\(name)\(MetricText.braces(labels)) \(MetricText.number(value))\n"
    }
}

/// Durations in buckets.
final class HistogramSeries: MetricSeries, TimerHandler {
    private final class Cell: Sendable {
        let count = Atomic<UInt64>(0)
    }

    /// One for each bound, and one for what is above all of them.
    private let cells = (0...MetricDefinition.buckets.count).map { _ in Cell() }
    private let nanoseconds = Atomic<UInt64>(0)

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) / 1e9
        let index = MetricDefinition.buckets.firstIndex { seconds <= $0 } ?? MetricDefinition.buckets.count
        cells[index].count.wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(UInt64(max(duration, 0)), ordering: .relaxed)
    }

    func append(to text: inout String, name: String, labels: String) {
        // The sum is read first: it must not contain what no bucket has.
        let sum = Double(nanoseconds.load(ordering: .relaxed)) / 1e9
        var total: UInt64 = 0
        let counts = cells.map { cell in
            total += cell.count.load(ordering: .relaxed)
            return total
        }
        guard total > 0 else { return }
        let prefix = labels.isEmpty ? "" : labels + ","
        for (bound, count) in zip(MetricDefinition.buckets.map(MetricText.number) + ["+Inf"], counts) {
            text += "\(name)_bucket{\(prefix)le=\"\(bound)\"} \(count)\n"
        }
        text += "\(name)_sum\(MetricText.braces(labels)) \(MetricText.number(sum))\n"
        text += "\(name)_count\(MetricText.braces(labels)) \(total)\n"
    }
}

extension Atomic<UInt64> {
    /// Adds to the double that the bits are of.
    fileprivate borrowing func add(_ amount: Double) {
        var old = load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isExchanged, found) = weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isExchanged { return }
            old = found
        }
    }
}

/// The text format of Prometheus, version 0.0.4.
enum MetricText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
