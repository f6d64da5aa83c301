/// When a round says more about the machine than about what was measured.
package struct RoundRule: Sendable {
    /// Cores that were busy with other programs, on average.
    package static let mostOthers = 1.0
    /// How far the bare route may be from its median over the run.
    package static let mostDeviation = 0.15

    /// What the rule looks at in one round.
    package struct Evidence: Sendable {
        package let otherCores: Double
        /// Processor time of the bare route; absent when it was not measured.
        package let yardstickMicroseconds: Double?

        package init(otherCores: Double, yardstickMicroseconds: Double?) {
            self.otherCores = otherCores
            self.yardstickMicroseconds = yardstickMicroseconds
        }
    }

    /// For each round of a run why it does not count; `nil` where it does.
    package static func objections(to rounds: [Evidence]) -> [String?] {
        let median = Spread(rounds.compactMap(\.yardstickMicroseconds))?.median
        return rounds.map { round in
            if round.otherCores > mostOthers { return "other programs took more than \(mostOthers) cores" }
            guard let median, let yardstick = round.yardstickMicroseconds,
                abs(yardstick / median - 1) > mostDeviation
            else { return nil }
            return "the bare route was more than \(Int(mostDeviation * 100)) % off its median"
        }
    }
}
