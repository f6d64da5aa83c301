import Locks

/// The state of the session, for all who follow it. A state that equals the one before is not repeated.
final class SessionStates: Sendable {
    private struct State {
        var latest = SessionState.restoring
        var next = 0
        var continuations: [Int: AsyncStream<SessionState>.Continuation] = [:]
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.continuations.values.forEach { $0.finish() } } }

    var latest: SessionState { state.withLock { $0.latest } }

    func set(_ new: SessionState) {
        state.withLock { state in
            guard state.latest != new else { return }
            state.latest = new
            // Under the lock, so that every stream has the order of the changes.
            for continuation in state.continuations.values { continuation.yield(new) }
        }
    }

    /// A stream that begins with the state of now.
    func stream() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionState.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state in
            defer { state.next += 1 }
            state.continuations[state.next] = continuation
            continuation.yield(state.latest)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }
}
