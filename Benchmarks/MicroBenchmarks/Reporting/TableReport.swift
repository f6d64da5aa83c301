import Foundation

/// The figures for people.
struct TableReport {
    let report: BenchmarkReport

    var text: String {
        let loads = report.rounds.map { "\(Self.number($0.loadBefore))→\(Self.number($0.loadAfter))" }
        let machine = report.machine
        return """
            \(machine.processor), \(machine.cores) cores, \(machine.system)
            rounds: \(report.rounds.count), \(report.seconds) s a case; load average: \(loads.joined(separator: " "))

            \(cases)
            \(ratios)
            """
    }

    private var cases: String {
        var lines: [String] = []
        for group in BenchmarkCase.Group.allCases {
            let figures = report.cases.filter { $0.group == group.rawValue }
            guard !figures.isEmpty else { continue }
            lines.append(Self.row(group.rawValue, "CPU us", "min – max", "wall us", "per second"))
            for figure in figures {
                lines.append(
                    Self.row(
                        "  " + figure.name, Self.number(figure.processorMicroseconds.median),
                        Self.range(figure.processorMicroseconds), Self.number(figure.wallMicroseconds.median),
                        Self.number(1e6 / figure.wallMicroseconds.median)))
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    private var ratios: String {
        guard !report.ratios.isEmpty else { return "" }
        var lines = [Self.row("ratios of CPU within a round", "median", "min – max", "floor", "")]
        for figure in report.ratios {
            let floor =
                figure.floor.map { floor in
                    switch floor {
                    case .atLeast(let value): "≥ \(Self.number(value))"
                    case .atMost(let value): "≤ \(Self.number(value))"
                    }
                } ?? ""
            lines.append(
                Self.row(
                    "  " + figure.name, Self.number(figure.ratio.median), Self.range(figure.ratio), floor,
                    figure.isReached.map { $0 ? "reached" : "missed" } ?? ""))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func range(_ spread: Spread) -> String {
        "\(number(spread.minimum)) – \(number(spread.maximum))"
    }

    /// Three digits say enough.
    private static func number(_ value: Double) -> String {
        switch value {
        case ..<10: String(format: "%.2f", value)
        case ..<100: String(format: "%.1f", value)
        default: String(format: "%.0f", value)
        }
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        let widths = [9, 17, 9, 11]
        let line = name.padding(to: 46) + zip(columns, widths).map { $0.padding(toTheLeft: $1) }.joined()
        return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }

    fileprivate func padding(toTheLeft width: Int) -> String {
        String(repeating: " ", count: max(width - count, 1)) + self
    }
}
