import BenchmarkLoad
import Foundation
import NIOCore

/// The outcome of a ``StallCheck`` for people.
struct StallReport {
    let outcome: StallCheck.Outcome

    var text: String {
        (outcome.operations.flatMap(lines) + [bare, interventions]).joined(separator: "\n")
    }

    private func lines(
        _ operation: CaseName.Operation, _ perSecond: Double, _ result: LoadResult
    ) -> [String] {
        let stalls = outcome.stalls(result)
        let heading = String(
            format: "%@ at %.0f a second: p99 %.2f ms, p99.9 %.2f ms, max %.1f ms, %d failures; "
                + "%d stalls over 20 ms, %d of them not shown by the bare route",
            operation.rawValue, perSecond, milliseconds(result, 99), milliseconds(result, 99.9),
            Double(result.latencies.maximum) / 1000, result.failureCount, Stall.merge(result.stalls).count,
            stalls.count)
        return [heading] + stalls.map(line) + [result.firstFailure.map { "  a failure: \($0)" }].compactMap(\.self)
    }

    private func line(_ stall: Stall) -> String {
        let before = outcome.interventions.last { $0.moment <= stall.end }
        let cause = before.map { String(format: "; %.1f s after: ", seconds($0.moment, stall.start)) + $0.name } ?? ""
        return String(
            format: "  %.1f s after the start: %.0f ms", seconds(outcome.start, stall.start),
            stall.duration.microseconds / 1000) + cause
    }

    private var bare: String {
        let stalls = Stall.merge(outcome.bare.stalls)
        return String(
            format: "hello (bare route): p99 %.2f ms, p99.9 %.2f ms, max %.1f ms; %d stalls over 10 ms",
            milliseconds(outcome.bare, 99), milliseconds(outcome.bare, 99.9),
            Double(outcome.bare.latencies.maximum) / 1000, stalls.count)
    }

    private var interventions: String {
        "meanwhile: "
            + Dictionary(grouping: outcome.interventions, by: \.name).map { "\($0.key) \($0.value.count) times" }
            .sorted().joined(separator: ", ")
    }

    private func milliseconds(_ result: LoadResult, _ percentile: Double) -> Double {
        Double(result.latencies.value(at: percentile)) / 1000
    }

    private func seconds(_ start: NIODeadline, _ end: NIODeadline) -> Double {
        Double((end - start).nanoseconds) / 1e9
    }
}
