import Dispatch
import Synchronization

/// Holds tasks back until all of them have come, and lets them go at the same moment.
final class StartingLine: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(for count: Int) {
        state = Mutex(State(missing: count))
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state in
                state.missing -= 1
                state.waiting.append(continuation)
                guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in released { continuation.resume() }
        }
    }
}

/// A barrier inside transactions: each transaction waits for the others, after its reads.
///
/// Transactions that run again wait for none, and so do those of an engine that runs one after the other.
final class MeetingPoint: Sendable {
    private let missing: Mutex<Int>
    private let parties: Int
    private let gate = DispatchSemaphore(value: 0)

    init(for parties: Int) {
        self.parties = parties
        missing = Mutex(parties)
    }

    /// Waits for the others, though not for ever: one of them may have met an obstacle on its way.
    func meet() {
        let missing = missing.withLock { missing in
            missing -= 1
            return missing
        }
        if missing > 0 { _ = gate.wait(timeout: .now() + 4) }
        guard missing == 0, parties > 1 else { return }
        for _ in 1..<parties { gate.signal() }
    }
}
