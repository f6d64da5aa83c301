import Dispatch
import Synchronization

/// A first-in, first-out queue between tasks, which must not block, and threads, which may.
final class WorkQueue<Work: Sendable>: Sendable {
    private struct State {
        var waiting: [Work] = []
        var idleThreads = 0
        /// Threads that were woken and have not come yet.
        var comingThreads = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Adds `work` and wakes a thread if one is idle.
    ///
    /// - Returns: false if the queue was closed; then the work is never done.
    func append(_ work: Work) -> Bool {
        let (isAccepted, isSomebodyIdle) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(work)
            guard state.idleThreads > 0 else { return (true, false) }
            state.idleThreads -= 1
            state.comingThreads += 1
            return (true, true)
        }
        if isSomebodyIdle { wakeUp.signal() }
        return isAccepted
    }

    /// Takes what waits, at most `limit` pieces; blocks the calling thread while there is nothing.
    ///
    /// - Returns: No work once the queue is closed and empty.
    func next(atMost limit: Int) -> [Work] {
        var wasWoken = false
        while true {
            let taken: [Work]? = state.withLock { state in
                if wasWoken { state.comingThreads -= 1 }
                guard state.waiting.isEmpty else { return Self.take(limit, from: &state.waiting) }
                guard !state.isClosed else { return [] }
                state.idleThreads += 1
                return nil
            }
            if let taken { return taken }
            wakeUp.wait()
            wasWoken = true
        }
    }

    /// Refuses further work and lets the threads finish what waits.
    func close() {
        let idleThreads = state.withLock { state in
            state.isClosed = true
            state.comingThreads += state.idleThreads
            defer { state.idleThreads = 0 }
            return state.idleThreads
        }
        for _ in 0..<idleThreads { wakeUp.signal() }
    }

    /// Returns work to the front of the queue, even when the queue is closed.
    func putBack(_ work: Work) {
        let isSomebodyIdle = state.withLock { state in
            state.waiting.insert(work, at: 0)
            guard state.idleThreads > 0 else { return false }
            state.idleThreads -= 1
            state.comingThreads += 1
            return true
        }
        if isSomebodyIdle { wakeUp.signal() }
    }

    /// Takes out what satisfies `predicate`, wherever it stands.
    func remove(where predicate: (Work) -> Bool) -> [Work] {
        state.withLock { state in
            let removed = state.waiting.filter(predicate)
            if !removed.isEmpty { state.waiting.removeAll(where: predicate) }
            return removed
        }
    }

    /// The amount of queued work beyond one item for each thread.
    var backlog: Int { state.withLock { max($0.waiting.count - $0.comingThreads, 0) } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    private static func take(_ limit: Int, from waiting: inout [Work]) -> [Work] {
        guard waiting.count > limit else {
            defer { waiting = [] }
            return waiting
        }
        defer { waiting.removeFirst(limit) }
        return Array(waiting.prefix(limit))
    }
}
