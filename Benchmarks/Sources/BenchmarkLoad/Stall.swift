package import NIOCore

/// A time in which a question waited long for its answer.
package struct Stall: Sendable, Hashable {
    /// When the first question of it was due.
    package let start: NIODeadline
    /// When the last one was answered.
    package let end: NIODeadline

    package init(from start: NIODeadline, to end: NIODeadline) {
        self.start = start
        self.end = end
    }

    package var duration: Duration { .since(start, until: end) }

    /// - Parameter stalls: in any order.
    /// - Returns: the same time, in order, with one stall where several overlap.
    package static func merge(_ stalls: [Stall]) -> [Stall] {
        stalls.sorted { $0.start < $1.start }.reduce(into: []) { merged, stall in
            if let last = merged.last, stall.start <= last.end {
                merged[merged.count - 1] = Stall(from: last.start, to: max(last.end, stall.end))
            } else {
                merged.append(stall)
            }
        }
    }

    /// The stalls that last longer than `limit` without the time in which `others` stalled as well.
    ///
    /// - Parameters:
    ///   - stalls: in any order.
    ///   - others: those of another server at the same time, in any order.
    ///   - limit: what is left may last so long.
    /// - Returns: them in order, each as long as it was.
    package static func merge(_ stalls: [Stall], without others: [Stall], over limit: Duration) -> [Stall] {
        let others = merge(others)
        return merge(stalls).filter { stall in
            let shared = others.map { Duration.since(max($0.start, stall.start), until: min($0.end, stall.end)) }
            return stall.duration - shared.reduce(.zero, +) > limit
        }
    }
}
