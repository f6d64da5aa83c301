/// A figure as several rounds saw it.
package struct Spread: Sendable, Codable {
    package let median: Double
    package let minimum: Double
    package let maximum: Double

    /// - Returns: `nil` without any value.
    package init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let minimum = sorted.first, let maximum = sorted.last else { return nil }
        self.minimum = minimum
        self.maximum = maximum
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
