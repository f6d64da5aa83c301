import Synchronization

/// The rate of writes while a store is copied.
final class Pace: Sendable {
    enum Rhythm: Sendable {
        /// Some things for each step of the copy: it is disturbed at every moment, and never outrun by a slow machine.
        case withTheCopy
        /// All the time.
        case steadily
    }

    private static let actsPerStep = 8

    private struct State {
        var isOver = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// The turns of one of them, until ``end()``.
    func turns(_ rhythm: Rhythm) -> AsyncStream<Void> {
        switch rhythm {
        case .steadily: return AsyncStream { self.state.withLock { $0.isOver } ? nil : () }
        case .withTheCopy:
            let (turns, continuation) = AsyncStream.makeStream(of: Void.self)
            state.withLock { $0.waiting.append(continuation) }
            for _ in 0..<Self.actsPerStep { continuation.yield() }
            return turns
        }
    }

    /// The copy got a step further.
    func advance() {
        for continuation in state.withLock({ $0.waiting }) {
            for _ in 0..<Self.actsPerStep { continuation.yield() }
        }
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }
}
