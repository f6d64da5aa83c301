import NIOCore
import Synchronization

/// When the connections of a ``Load`` ask.
package enum Pace: Sendable {
    /// Closed loop: each connection asks again as soon as it was answered, for so long.
    case asFastAsAnswered(for: Duration)
    /// Open loop: so many questions a second, evenly, whether earlier ones were answered or not.
    case perSecond(Double, for: Duration)
}

/// The times at which questions are due, given out one after the other.
final class Schedule: Sendable {
    /// How long after its end an open loop goes on sending what is overdue.
    private static let patience = TimeAmount.seconds(2)

    private let start: NIODeadline
    private let end: NIODeadline
    /// Nanoseconds from one question to the next; `nil` in a closed loop.
    private let interval: Double?
    private let total: Int
    private let taken = Atomic<Int>(0)

    init(_ pace: Pace, from start: NIODeadline) {
        self.start = start
        switch pace {
        case .asFastAsAnswered(let duration):
            end = start + duration.amount
            interval = nil
            total = .max
        case .perSecond(let rate, let duration):
            end = start + duration.amount
            interval = 1e9 / max(rate, 0.001)
            total = Int(rate * duration.inSeconds)
        }
    }

    /// When the next question is to be sent, which may be in the past; `nil` when no more are sent.
    func next() -> NIODeadline? {
        let now = NIODeadline.now()
        guard let interval else { return now < end ? now : nil }
        guard now < end + Self.patience else { return nil }
        let number = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < total else { return nil }
        return due(number, every: interval)
    }

    /// How long each question that was never sent had been due when sending ended.
    func overdue() -> [Duration] {
        guard let interval else { return [] }
        let last = end + Self.patience
        let sent = min(taken.load(ordering: .relaxed), total)
        return (sent..<total).map { .since(due($0, every: interval), until: last) }
    }

    private func due(_ number: Int, every interval: Double) -> NIODeadline {
        start + .nanoseconds(Int64(Double(number) * interval))
    }
}

extension Duration {
    fileprivate var amount: TimeAmount { .nanoseconds(Int64(microseconds * 1000)) }

    static func since(_ start: NIODeadline, until end: NIODeadline) -> Duration {
        .nanoseconds(max((end - start).nanoseconds, 0))
    }
}
