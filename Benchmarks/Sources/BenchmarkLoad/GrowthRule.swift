/// When a count of a run is more than a recorded one by more than noise.
package enum GrowthRule {
    /// The part of a recorded count that timers and new connections may add, beside one.
    package static let noise = 0.03

    /// Whether `count` is more than `recorded`; what was not recorded is `nil`.
    package static func isMore(_ count: Double, than recorded: Double?, beyond noise: Double = noise) -> Bool {
        count > (recorded ?? 0) * (1 + noise) + 1
    }
}
