import Foundation

/// The calls of one caller within an hour.
struct RateWindow: Sendable {
    let limit: Int
    let resetsAt: Date
    /// The calls so far, refused ones included.
    private(set) var observed = 0

    var used: Int { min(observed, limit) }
    var remaining: Int { max(limit - observed, 0) }
    var isExceeded: Bool { observed > limit }

    init(limit: Int, now: Date) {
        self.limit = limit
        resetsAt = now.addingTimeInterval(3600)
    }

    /// Counts a call of the caller that `earlier` belongs to.
    static func counting(_ earlier: RateWindow?, limit: Int, now: Date) -> RateWindow {
        var window = earlier.flatMap { now < $0.resetsAt ? $0 : nil } ?? RateWindow(limit: limit, now: now)
        window.observed += 1
        return window
    }
}
