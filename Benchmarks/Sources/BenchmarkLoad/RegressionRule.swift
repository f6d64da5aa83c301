/// When ratios of a run are worse than recorded ones by more than noise.
package enum RegressionRule {
    /// The part of a recorded median that is lost to noise.
    package static let noise = 0.15

    /// - Parameters:
    ///   - values: a ratio in each round; more is better.
    ///   - recorded: the median of an earlier run.
    /// - Returns: whether the median is below the recorded one by more than noise, and at least four rounds of five agree.
    package static func isWorse(_ values: [Double], than recorded: Double) -> Bool {
        guard let spread = Spread(values) else { return false }
        let limit = recorded * (1 - noise)
        return spread.median < limit && values.count { $0 < limit } * 5 >= values.count * 4
    }
}
