import BenchmarkLoad
import Foundation

/// Counts for an answer, by operation, which later builds are checked against: the files Allocations.json and
/// Instructions.json.
struct RecordedCounts {
    let unit: AnswerCounts.Unit
    let counts: [String: Double]

    init(_ counts: [String: Double], of unit: AnswerCounts.Unit) {
        (self.unit, self.counts) = (unit, counts.mapValues { $0.rounded() })
    }

    /// - Throws: when the file cannot be read, or holds counts of another unit.
    init(contentsOf path: String, of unit: AnswerCounts.Unit) throws {
        let file = try Data(contentsOf: URL(filePath: path))
        let units = try JSONDecoder().decode([String: [String: Double]].self, from: file)
        guard let counts = units[unit.rawValue] else { throw BenchmarkFailure("\(path) has no \(unit.rawValue)") }
        (self.unit, self.counts) = (unit, counts)
    }

    /// - Throws: when the file cannot be written.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try (encoder.encode([unit.rawValue: counts]) + Data("\n".utf8)).write(to: URL(filePath: path))
    }

    /// What is more than these by more than noise, one line each.
    func growth(in counts: [String: Double]) -> [String] {
        counts.sorted { $0.key < $1.key }.compactMap { name, count in
            guard GrowthRule.isMore(count, than: self.counts[name], beyond: unit.noise) else { return nil }
            return String(format: "%@: %.0f %@, recorded %.0f", name, count, unit.rawValue, self.counts[name] ?? 0)
        }
    }
}
