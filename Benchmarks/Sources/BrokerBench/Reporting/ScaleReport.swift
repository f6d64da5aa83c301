import BenchmarkLoad
import Foundation

/// The points of a ``ScaleCurve`` for people.
struct ScaleReport {
    let points: [ScaleCurve.Point]

    var text: String {
        let comparisons = points.dropFirst().compactMap { point in points.first.map { comparison(point, $0) } }
        return (points.map(text) + comparisons).joined(separator: "\n")
    }

    private func comparison(_ point: ScaleCurve.Point, _ first: ScaleCurve.Point) -> String {
        let costs = ScaleCurve.operations.filter { $0 != .hello }.compactMap { operation in
            point.cost(operation, asPartOf: first).map { cost in
                String(
                    format: "  %@: %.2f (%.2f–%.2f)", operation.rawValue, cost.median, cost.minimum, cost.maximum)
            }
        }
        let heading = "\(point.users) users / \(first.users), CPU within a round"
        return ([heading] + costs).joined(separator: "\n") + "\n"
    }

    private func text(_ point: ScaleCurve.Point) -> String {
        let heading = "\(point.users) users, \(point.sessions) of them with a session"
        let memory = String(
            format: "  start %.0f ms; PSS %.1f MB idle, %.1f MB after load; file %.0f MB", point.startMilliseconds,
            point.idle.proportionalMegabytes, point.afterLoad?.proportionalMegabytes ?? 0, point.fileMegabytes)
        let times = String(
            format: "  import %.0f s (%.0f users a second), backup %.1f s, store verify %.1f s", point.importSeconds,
            Double(point.users) / max(point.importSeconds, 0.001), point.backupSeconds, point.verifySeconds)
        let lines = ScaleCurve.operations.compactMap { line($0, point) }
        return ([heading] + lines + [memory, times]).joined(separator: "\n") + "\n"
    }

    private func line(_ operation: CaseName.Operation, _ point: ScaleCurve.Point) -> String? {
        guard let figures = point.figures[operation], let cost = Spread(figures.map(\.processorMicroseconds)) else {
            return nil
        }
        let latencies = figures.reduce(into: LatencyHistogram()) { $0.add($1.result.latencies) }
        let ratio = operation == .hello ? nil : point.ratio(operation)
        let share = ratio.map { String(format: ", hello / it %.3f (%.3f–%.3f)", $0.median, $0.minimum, $0.maximum) }
        let failures = figures.map(\.result.failureCount).reduce(0, +)
        let tail = String(
            format: ", p99 %.1f ms, longest %.0f ms, %d failures", Double(latencies.value(at: 99)) / 1000,
            Double(latencies.maximum) / 1000, failures)
        return String(
            format: "  %@: %.0f us CPU (%.0f–%.0f)", operation.rawValue, cost.median, cost.minimum, cost.maximum)
            + (share ?? "") + tail
    }
}
