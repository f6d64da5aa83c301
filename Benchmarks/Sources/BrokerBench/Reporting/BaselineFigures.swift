import BenchmarkLoad

/// A figure of the broker beside the same figure of the baseline, taken in the same rounds.
struct BaselineFigures: Encodable {
    let name: String
    let load: String
    let baseline: Spread
    let broker: Spread
    /// The broker's figure as a multiple of the baseline's, within a round.
    let ratio: Spread

    /// All that was measured of both: the cases of `names`, then what is known of the processes.
    static func all(_ names: [CaseName], _ rounds: [Round]) -> [BaselineFigures] {
        let cases = names.filter { !$0.isBaseline }.compactMap { name in
            BaselineFigures(
                "\(name.operation.rawValue), \(Self.unit(name.regime))", name.load,
                rounds.map { round in (round.comparedFigure(name.ofBaseline), round.comparedFigure(name)) })
        }
        let facts: [(String, (Round.BrokerFacts) -> Double)] = [
            ("start to first answer, ms", \.startMilliseconds), ("idle, PSS in MB", \.idle.proportionalMegabytes),
            ("after load, PSS in MB", \.afterLoad.proportionalMegabytes),
        ]
        return cases
            + facts.compactMap { name, value in
                BaselineFigures(name, "", rounds.map { ($0.baseline.map(value), $0.broker.map(value)) })
            }
    }

    /// - Returns: `nil` when no round has both.
    private init?(_ name: String, _ load: String, _ pairs: [(baseline: Double?, broker: Double?)]) {
        let pairs = pairs.compactMap { pair in
            pair.baseline.flatMap { baseline in pair.broker.map { (baseline: baseline, broker: $0) } }
        }.filter { $0.baseline > 0 }
        guard let baseline = Spread(pairs.map(\.baseline)), let broker = Spread(pairs.map(\.broker)),
            let ratio = Spread(pairs.map { $0.broker / $0.baseline })
        else { return nil }
        (self.name, self.load) = (name, load)
        (self.baseline, self.broker, self.ratio) = (baseline, broker, ratio)
    }

    private static func unit(_ regime: CaseName.Regime) -> String {
        switch regime {
        case .cpu: "CPU us"
        case .durability: "per s"
        case .latency: "p99 us"
        }
    }
}
