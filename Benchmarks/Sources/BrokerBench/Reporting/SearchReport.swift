import BenchmarkLoad
import Foundation

/// A point of a ``SearchCurve`` for people.
struct SearchReport {
    private let point: SearchCurve.Point

    init(_ point: SearchCurve.Point) {
        self.point = point
    }

    var text: String {
        let heading = String(
            format: "%d users in %@; import %.0f s (%.0f users a second), look at all words %.0f s", point.users,
            point.database.rawValue, point.importSeconds, Double(point.users) / max(point.importSeconds, 0.001),
            point.repairSeconds)
        return ([heading] + point.figures.map(line)).joined(separator: "\n") + "\n"
    }

    private func line(_ figure: (search: SearchCurve.Search, result: LoadResult)) -> String {
        let latencies = figure.result.latencies
        func milliseconds(_ percentile: Double) -> Double { Double(latencies.value(at: percentile)) / 1000 }
        return "  " + figure.search.name.padding(toLength: 28, withPad: " ", startingAt: 0)
            + String(
                format: "%6d answers, median %.1f ms, p99 %.1f ms, longest %.1f ms, %d failures", figure.result.answers,
                milliseconds(50), milliseconds(99), Double(latencies.maximum) / 1000, figure.result.failureCount)
    }
}
