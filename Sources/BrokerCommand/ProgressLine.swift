import Broker
import BrokerStore
import Foundation
import Synchronization

/// The progress of long work in one line on standard error, with its rate and the time that is left. The line is rewritten
/// in place at a terminal, and written every five seconds elsewhere. Work that ends sooner writes nothing there.
final class ProgressLine: Sendable {
    private struct State {
        var title = ""
        /// When the work with this title began, and how much of it was done before.
        var start: ContinuousClock.Instant
        var doneBefore = 0
        var done = 0
        var last: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let isTerminal: Bool
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (TerminalText) -> Void

    /// - Parameters:
    ///   - isTerminal: Whether the line is rewritten in place.
    ///   - clock: The present; tests let time pass by themselves.
    ///   - write: Takes a line.
    init(
        isTerminal: Bool = StatusLine.isPossible,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: (@Sendable (TerminalText) -> Void)? = nil
    ) {
        self.isTerminal = isTerminal
        self.clock = clock
        self.write = write ?? { line in if isTerminal { StatusLine.show(line) } else { line.warn() } }
        state = Mutex(State(start: clock(), last: clock()))
    }

    /// Takes note of how far the work is.
    ///
    /// - Parameters:
    ///   - title: The work, such as "importing". Another title begins another measurement, and so does less than before.
    ///   - done: How much is done.
    ///   - total: How much there is altogether, where that is known.
    ///   - unit: What is counted, such as "users".
    func note(_ title: String, _ done: Int, of total: Int? = nil, _ unit: String) {
        let now = clock()
        let line = state.withLock { state -> TerminalText? in
            // Less than before is the same work on something else, such as the other one of two databases.
            let isNew = title != state.title || done < state.done
            state.done = done
            if isNew { (state.title, state.start, state.doneBefore) = (title, now, done) }
            let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(5)
            guard now - state.last >= interval || (isNew && isTerminal) else { return nil }
            state.last = now
            return Self.text(title, done, of: total, unit, since: state.doneBefore, in: now - state.start)
        }
        if let line { write(line) }
    }

    /// The line, where `before` was done when the measurement began, and `elapsed` has passed since then.
    static func text(
        _ title: String, _ done: Int, of total: Int?, _ unit: String, since before: Int, in elapsed: Duration
    ) -> TerminalText {
        let amount = total.map { "\(done) of \(max($0, done)) \(unit)" } ?? "\(done) \(unit)"
        // The first second says little about the rate.
        guard elapsed >= .seconds(1), done > before else { return "\(title): \(amount)" }
        let rate = Double(done - before) / (elapsed / .seconds(1))
        let shown = rate >= 10 ? String(Int(rate)) : String((rate * 10).rounded() / 10)
        guard let total, total > done else { return "\(title): \(amount), \(shown) a second" }
        let left = Countdown.time(Int((Double(total - done) / rate).rounded(.up)))
        return "\(title): \(amount), \(shown) a second, \(left) left"
    }
}

extension ProgressLine {
    /// Takes note of how far work on a store is.
    func note(_ progress: StoreProgress) {
        let (done, total) = (progress.done, progress.total)
        switch progress.work {
        case .copying: note("copying", done, of: total, "rows")
        case .following: note("applying changes", done, of: total, "changes")
        case .comparing: note("comparing", done, of: total, "rows")
        case .reading: note("reading", done, of: total, "rows")
        case .checking: note("checking", done, of: total, "rules")
        case .removing: note("removing", done, of: total, "rows")
        case .writing: note("writing", done >> 20, of: total.map { $0 >> 20 }, "MiB")
        }
    }

    /// Takes note of how far a rotation of the master key is.
    func note(_ progress: MasterKeyRotation.Progress) {
        switch progress {
        case .switched(let from, let to): TerminalText("the store changed from key \(from) to \(to)").warn()
        case .waiting(let brokers): note("waiting for brokers to follow", brokers, "left")
        case .endedSessions(let count): note("ending sessions", count, "sessions")
        case .resealing(let done, let total): note("sealing again", done, of: total, "values")
        }
    }
}
