import Synchronization

/// Values that concurrent callers take in turn and put back, changed: each is touched before any is touched again.
final class Ring<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value]
        var next = 0
    }

    private let state: Mutex<State>

    /// - Parameter values: many more than there are callers, at least one.
    init(_ values: [Value]) {
        precondition(!values.isEmpty)
        state = Mutex(State(values: values))
    }

    /// The value that was not taken for the longest time, and its place.
    func take() -> (place: Int, value: Value) {
        state.withLock { state in
            let place = state.next
            state.next = (place + 1) % state.values.count
            return (place, state.values[place])
        }
    }

    func put(_ value: Value, at place: Int) {
        state.withLock { $0.values[place] = value }
    }
}
