import Foundation

/// The figures for programs; `--json` writes it.
struct BenchmarkReport: Encodable {
    let machine: Machine
    /// How long each case worked in each round.
    let seconds: Double
    let rounds: [RoundFigures]
    let cases: [CaseFigures]
    let ratios: [RatioFigures]

    struct RoundFigures: Encodable {
        let loadBefore: Double
        let loadAfter: Double
    }

    struct CaseFigures: Encodable {
        let name: String
        let group: String
        /// Processor time of one operation.
        let processorMicroseconds: Spread
        /// Elapsed time divided by operations.
        let wallMicroseconds: Spread
        /// How many operations each round saw.
        let operations: [Int]
    }

    struct RatioFigures: Encodable {
        let name: String
        let ratio: Spread
        /// Where work may not stop.
        let floor: Comparison.Floor?
        /// Whether the median is on the right side of the floor.
        let isReached: Bool?
    }

    init(_ cases: [BenchmarkCase], _ rounds: [Round], seconds: Double) {
        machine = .this
        self.seconds = seconds
        self.rounds = rounds.map { RoundFigures(loadBefore: $0.loadBefore, loadAfter: $0.loadAfter) }
        self.cases = cases.compactMap { benchmark in
            CaseFigures(benchmark, rounds.compactMap { $0.measurements[benchmark.name] })
        }
        ratios = Comparison.all.compactMap { comparison in
            comparison.spread(rounds).map { RatioFigures(comparison, $0) }
        }
    }

    /// The report as JSON, names sorted.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension BenchmarkReport.CaseFigures {
    init?(_ benchmark: BenchmarkCase, _ measurements: [Measurement]) {
        guard let processor = Spread(measurements.map(\.processorMicroseconds)),
            let wall = Spread(measurements.map(\.wallMicroseconds))
        else { return nil }
        name = benchmark.name.rawValue
        group = benchmark.group.rawValue
        processorMicroseconds = processor
        wallMicroseconds = wall
        operations = measurements.map(\.operations)
    }
}

extension BenchmarkReport.RatioFigures {
    init(_ comparison: Comparison, _ spread: Spread) {
        name = comparison.name
        ratio = spread
        floor = comparison.floor
        isReached = comparison.floor.map { floor in
            switch floor {
            case .atLeast(let value): spread.median >= value
            case .atMost(let value): spread.median <= value
            }
        }
    }
}

extension Comparison.Floor: Encodable {
    private enum CodingKeys: String, CodingKey { case atLeast, atMost }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .atLeast(let value): try container.encode(value, forKey: .atLeast)
        case .atMost(let value): try container.encode(value, forKey: .atMost)
        }
    }
}
