import Locks

/// Delivers events to every stream that was made before them.
final class EventBroadcast: Sendable {
    private struct State {
        var next = 0
        var continuations: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.continuations.values.forEach { $0.finish() } } }

    /// A stream of the events from now on.
    func stream() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionEvent.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state in
            defer { state.next += 1 }
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ event: SessionEvent) {
        let continuations = state.withLock { Array($0.continuations.values) }
        for continuation in continuations { continuation.yield(event) }
    }
}
