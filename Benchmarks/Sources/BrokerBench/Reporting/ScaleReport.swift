import BenchmarkLoad
import Foundation

/// A point of a ``ScaleCurve`` for people.
struct ScaleReport {
    private static let operations: [CaseName.Operation] = [.hello, .lookup, .refreshES256, .signIn]
    let point: ScaleCurve.Point

    var text: String {
        let heading = "\(point.users) users, \(point.sessions) of them with a session"
        let memory = String(
            format: "  start %.0f ms; PSS %.1f MB idle, %.1f MB after load; file %.0f MB", point.startMilliseconds,
            point.idle.proportionalMegabytes, point.afterLoad?.proportionalMegabytes ?? 0, point.fileMegabytes)
        let times = String(
            format: "  import %.0f s (%.0f users a second), backup %.1f s, store verify %.1f s", point.importSeconds,
            Double(point.users) / max(point.importSeconds, 0.001), point.backupSeconds, point.verifySeconds)
        return ([heading] + Self.operations.compactMap(line) + [memory, times]).joined(separator: "\n") + "\n"
    }

    private func line(_ operation: CaseName.Operation) -> String? {
        guard let figures = point.figures[operation], let cost = Spread(figures.map(\.processorMicroseconds)) else {
            return nil
        }
        let latencies = figures.reduce(into: LatencyHistogram()) { $0.add($1.result.latencies) }
        let ratio = operation == .hello ? nil : point.ratio(operation)
        let share = ratio.map { String(format: ", hello / it %.3f (%.3f–%.3f)", $0.median, $0.minimum, $0.maximum) }
        let failures = figures.map(\.result.failureCount).reduce(0, +)
        let tail = String(format: ", p99 %.1f ms, %d failures", Double(latencies.value(at: 99)) / 1000, failures)
        return String(
            format: "  %@: %.0f us CPU (%.0f–%.0f)", operation.rawValue, cost.median, cost.minimum, cost.maximum)
            + (share ?? "") + tail
    }
}
