import Dispatch
import Synchronization

/// A first-in, first-out queue between tasks, which must not block, and threads, which may.
final class WorkQueue<Work: Sendable>: Sendable {
    private struct State {
        var waiting: [Work] = []
        var idleThreads = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Adds `work` and wakes a thread if one is idle.
    ///
    /// - Returns: false if the queue was closed; then nobody will ever do the work.
    func append(_ work: Work) -> Bool {
        let (isAccepted, isSomebodyIdle) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(work)
            guard state.idleThreads > 0 else { return (true, false) }
            state.idleThreads -= 1
            return (true, true)
        }
        if isSomebodyIdle { wakeUp.signal() }
        return isAccepted
    }

    /// Takes what waits, at most `limit` pieces; blocks the calling thread while there is nothing.
    ///
    /// - Returns: nothing once the queue is closed and everything in it was taken.
    func next(atMost limit: Int) -> [Work] {
        while true {
            let taken: [Work]? = state.withLock { state in
                guard state.waiting.isEmpty else { return Self.take(limit, from: &state.waiting) }
                guard !state.isClosed else { return [] }
                state.idleThreads += 1
                return nil
            }
            if let taken { return taken }
            wakeUp.wait()
        }
    }

    /// Refuses further work and lets the threads finish what waits.
    func close() {
        let idleThreads = state.withLock { state in
            state.isClosed = true
            defer { state.idleThreads = 0 }
            return state.idleThreads
        }
        for _ in 0..<idleThreads { wakeUp.signal() }
    }

    private static func take(_ limit: Int, from waiting: inout [Work]) -> [Work] {
        guard waiting.count > limit else {
            defer { waiting = [] }
            return waiting
        }
        defer { waiting.removeFirst(limit) }
        return Array(waiting.prefix(limit))
    }
}
