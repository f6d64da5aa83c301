import BenchmarkLoad
import Foundation

/// The ratios of a run that later runs are checked against: those of processor time, which depend least on the machine.
struct RecordedRatios: Codable {
    /// The processor and the number of its cores.
    let machine: String
    let executor: String
    let database: String
    /// By case, in the regime of processor time.
    let ratios: [String: Spread]

    init(_ report: BenchReport) {
        machine = "\(report.machine.processor), \(report.machine.cores) cores"
        executor = report.executor.rawValue
        database = report.database
        ratios = report.checkedRatios.compactMapValues { Spread($0) }
    }

    /// - Throws: when the file cannot be read.
    init(contentsOf path: String) throws {
        self = try JSONDecoder().decode(RecordedRatios.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// - Throws: when the file cannot be written.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
    }

    /// What of a report is worse than these ratios, one line each.
    ///
    /// - Throws: ``BenchmarkFailure`` for a report with another executor or database.
    func regressions(in report: BenchReport) throws(BenchmarkFailure) -> [String] {
        guard executor == report.executor.rawValue, database == report.database else {
            throw BenchmarkFailure("the recorded ratios are of executor \(executor) on \(database)")
        }
        let measured = report.checkedRatios
        return ratios.sorted { $0.key < $1.key }.compactMap { name, recorded in
            guard let values = measured[name], let median = Spread(values)?.median else {
                return "\(name): not measured"
            }
            guard RegressionRule.isWorse(values, than: recorded.median) else { return nil }
            return String(format: "%@: %.3f, recorded %.3f", name, median, recorded.median)
        }
    }
}
