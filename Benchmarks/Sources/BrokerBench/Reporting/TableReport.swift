import BenchmarkLoad
import Foundation

/// The figures for people.
struct TableReport {
    private let report: BenchReport

    init(_ report: BenchReport) {
        self.report = report
    }

    var text: String {
        ([heading, rounds] + CaseName.Regime.allCases.map(cases) + [comparisons, goals]).filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    private var heading: String {
        let machine = report.machine
        let brokers = report.brokers == 1 ? "one broker" : "\(report.brokers) brokers"
        return """
            \(report.label.isEmpty ? "" : report.label + "\n")\
            \(machine.processor), \(machine.cores) cores, Linux \(machine.kernel), \(machine.system)
            \(brokers) on \(report.database), \(report.sessions) people; stores on \(machine.memoryFileSystem) (cpu) and \
            \(machine.diskFileSystem) (durability, latency)
            hello (bare route) runs at the executor \(report.executor.rawValue)
            """
    }

    private var rounds: String {
        var lines = report.rounds.map { round in
            let conditions = round.conditions
            let load = "load \(Self.number(conditions.loadBefore)) → \(Self.number(conditions.loadAfter))"
            return "round \(round.number) of \(report.seconds) s a case: \(load), "
                + "others \(Self.number(conditions.otherCores)) cores, stolen \(Self.number(conditions.stolenCores))"
                + (round.objection.map { "; does not count: \($0)" } ?? "")
        }
        if !report.isSound { lines.append("No round counts: what follows is of all of them, and says little.") }
        return lines.joined(separator: "\n")
    }

    private func cases(_ regime: CaseName.Regime) -> String {
        let figures = report.cases.filter { $0.regime == regime }
        guard !figures.isEmpty else { return "" }
        let title =
            switch regime {
            case .cpu: ("CPU: closed loop, stores in memory", "hello / it")
            case .durability: ("Durability: closed loop, on disk", "it / bare")
            case .latency: ("Latency: open loop, on disk", "")
            }
        let heading = TableRow(
            title.0, "load", "CPU us", title.1, "per s", "p50", "p90", "p99", "p99.9", "max ms", "failed")
        return ([heading.text] + figures.map(Self.row)).joined(separator: "\n")
            + figures.compactMap(\.firstFailure).prefix(3).map { "\n  a failure: \($0)" }.joined()
            + figures.compactMap(Self.commits).joined()
    }

    private static func row(_ figures: CaseFigures) -> String {
        let latencies = figures.latencies
        let percentiles = [50, 90, 99, 99.9].map { latencies.value(at: $0) } + [latencies.maximum]
        let columns =
            [figures.load, number(figures.processorMicroseconds.median), figures.ratioToYardstick.map(range) ?? ""]
            + [number(figures.perSecond.median)]
            + percentiles.map { latencies.count == 0 ? "" : number(Double($0) / 1000) }
            + [figures.failures == 0 ? "" : String(figures.failures)]
        return TableRow("  " + figures.operation, columns).text
    }

    /// Nothing for the bare loop, whose commits are what its load says.
    private static func commits(_ figures: CaseFigures) -> String? {
        guard figures.regime == .durability, let answers = figures.answersPerCommit,
            figures.operation != CaseName.Operation.groupCommit.rawValue
        else { return nil }
        return "\n  \(figures.operation), \(figures.load): \(range(answers)) to a commit"
    }

    private var comparisons: String {
        guard !report.comparisons.isEmpty else { return "" }
        let heading = ComparisonRow(
            "Broker and baseline, within a round", "load", "baseline", "broker", "broker / baseline")
        let rows = report.comparisons.map { figures in
            ComparisonRow(
                "  " + figures.name, figures.load, Self.number(figures.baseline.median),
                Self.number(figures.broker.median), Self.range(figures.ratio))
        }
        return ([heading] + rows).map(\.text).joined(separator: "\n")
    }

    private var goals: String {
        guard !report.goals.isEmpty else { return "" }
        let heading = GoalRow("Goals, from figures of one round each", "median (min–max)", "floor", "", "goal", "")
        let rows = report.goals.map { goal in
            let sign = goal.direction == .atLeast ? "≥" : "≤"
            return GoalRow(
                "  " + goal.name, Self.range(goal.figure), "\(sign) \(Self.number(goal.floor))",
                goal.floorVerdict?.rawValue ?? "", "\(sign) \(Self.number(goal.goal))",
                goal.goalVerdict?.rawValue ?? "")
        }
        return ([heading] + rows).map(\.text).joined(separator: "\n")
    }

    private static func range(_ spread: Spread) -> String {
        "\(number(spread.median)) (\(number(spread.minimum))–\(number(spread.maximum)))"
    }

    /// Three digits say enough.
    private static func number(_ value: Double) -> String {
        switch abs(value) {
        case ..<10: String(format: "%.2f", value)
        case ..<100: String(format: "%.1f", value)
        default: String(format: "%.0f", value)
        }
    }
}
