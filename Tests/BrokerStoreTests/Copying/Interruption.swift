import Synchronization

/// Does something at the n-th moment of something else.
final class Interruption: Sendable {
    private struct State {
        var left: Int
        var action: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(after moments: Int) {
        state = Mutex(State(left: moments))
    }

    func onCount(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.action = action
            return state.left <= 0
        }
        if isLate { action() }
    }

    func count() {
        let action = state.withLock { state in
            state.left -= 1
            return state.left == 0 ? state.action : nil
        }
        action?()
    }
}
