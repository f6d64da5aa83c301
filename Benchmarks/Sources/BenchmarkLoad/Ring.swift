import Synchronization

/// Values that concurrent connections take in turn and put back, changed: each is touched before any is touched again.
///
/// A value that is out is nobody else's, and one that is not put back is out for good.
package final class Ring<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value]
        /// The places whose values are in, from `first` on, around the end; so many of them as `count` says.
        var places: [Int]
        var first = 0
        var count: Int
    }

    private let state: Mutex<State>

    /// - Parameter values: more than there are connections.
    package init(_ values: [Value]) {
        state = Mutex(State(values: values, places: Array(values.indices), count: values.count))
    }

    /// How many are in.
    package var count: Int { state.withLock { $0.count } }

    /// The value that has been in for the longest time, and its place; `nil` when all are out.
    package func take() -> (place: Int, value: Value)? {
        state.withLock { state in
            guard state.count > 0 else { return nil }
            let place = state.places[state.first]
            state.first = (state.first + 1) % state.places.count
            state.count -= 1
            return (place, state.values[place])
        }
    }

    /// Puts back what was taken from `place`: `value` when it has changed.
    package func putBack(_ place: Int, as value: Value? = nil) {
        state.withLock { state in
            if let value { state.values[place] = value }
            state.places[(state.first + state.count) % state.places.count] = place
            state.count += 1
        }
    }
}
