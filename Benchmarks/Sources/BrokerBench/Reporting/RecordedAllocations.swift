import BenchmarkLoad
import Foundation

/// Allocations for an answer, by operation, which later builds are checked against: the file Allocations.json.
struct RecordedAllocations: Codable {
    let allocations: [String: Double]

    init(_ counts: [String: Double]) {
        allocations = counts.mapValues { $0.rounded() }
    }

    /// - Throws: when the file cannot be read.
    init(contentsOf path: String) throws {
        self = try JSONDecoder().decode(RecordedAllocations.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// - Throws: when the file cannot be written.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
    }

    /// What is more than these by more than noise, one line each.
    func growth(in counts: [String: Double]) -> [String] {
        counts.sorted { $0.key < $1.key }.compactMap { name, count in
            guard GrowthRule.isMore(count, than: allocations[name]) else { return nil }
            return String(format: "%@: %.0f allocations, recorded %.0f", name, count, allocations[name] ?? 0)
        }
    }
}
