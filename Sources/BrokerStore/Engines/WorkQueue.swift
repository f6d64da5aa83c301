import Dispatch
import Synchronization

/// Runs work once the calling thread has done what it has at hand, or at once.
package typealias Postponing = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

/// A first-in, first-out queue between tasks, which must not block, and threads, which may.
final class WorkQueue<Work: Sendable>: Sendable {
    private struct State {
        var waiting: [Work] = []
        var idleThreads = 0
        /// Threads that were woken, or will be, and have not come yet.
        var comingThreads = 0
        /// Those of them that will be.
        var postponedWakes = 0
        /// The mean of what the latest eight takes or so found.
        var meanFound = 1.0
        var isClosed = false

        /// - Returns: The number of threads to wake.
        mutating func takePostponedWakes() -> Int {
            defer { postponedWakes = 0 }
            return postponedWakes
        }
    }

    /// The amount of waiting work for which no wake is postponed.
    static var maximumGathered: Int { 16 }
    /// Of ``State/meanFound``, from which on a wake is postponed: work that comes alone would only wait.
    private static var leastShared: Double { 1.5 }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let postpone: Postponing?

    /// - Parameter postpone: When an idle thread is woken while work comes together, so that it finds all of a moment; nil
    ///   for at once.
    init(waking postpone: Postponing? = nil) {
        self.postpone = postpone
    }

    /// Adds `work` and wakes a thread if one is idle.
    ///
    /// - Returns: false if the queue was closed; then the work is never done.
    func append(_ work: Work) -> Bool {
        let (isAccepted, wakes, isPostponed) = state.withLock { state in
            guard !state.isClosed else { return (false, 0, false) }
            state.waiting.append(work)
            if state.idleThreads > 0 {
                state.idleThreads -= 1
                state.comingThreads += 1
                state.postponedWakes += 1
            }
            let gathers = postpone != nil && state.meanFound >= Self.leastShared
            let isTime = !gathers || state.waiting.count >= Self.maximumGathered
            return (true, isTime ? state.takePostponedWakes() : 0, !isTime && state.postponedWakes > 0)
        }
        wake(wakes)
        // Each caller has it done, so that none waits for another one's thread.
        if isPostponed { postpone? { [self] in wake(state.withLock { $0.takePostponedWakes() }) } }
        return isAccepted
    }

    private func wake(_ threads: Int) {
        for _ in 0..<threads { wakeUp.signal() }
    }

    /// Takes what waits, at most `limit` pieces; blocks the calling thread while there is nothing.
    ///
    /// - Returns: No work once the queue is closed and empty.
    func next(atMost limit: Int) -> [Work] {
        var wasWoken = false
        while true {
            let taken: [Work]? = state.withLock { state in
                if wasWoken { state.comingThreads -= 1 }
                guard state.waiting.isEmpty else {
                    let found = Double(min(state.waiting.count, Self.maximumGathered))
                    state.meanFound += (found - state.meanFound) / 8
                    return Self.take(limit, from: &state.waiting)
                }
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
        let threads = state.withLock { state in
            state.isClosed = true
            state.comingThreads += state.idleThreads
            defer { state.idleThreads = 0 }
            return state.idleThreads + state.takePostponedWakes()
        }
        wake(threads)
    }

    /// Returns work to the front of the queue, even when the queue is closed.
    func putBack(_ work: Work) {
        let isIdle = state.withLock { state in
            state.waiting.insert(work, at: 0)
            guard state.idleThreads > 0 else { return false }
            state.idleThreads -= 1
            state.comingThreads += 1
            return true
        }
        if isIdle { wake(1) }
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

    /// Whether a thread waits for work that has not come yet.
    var hasIdleThread: Bool { state.withLock { $0.idleThreads > 0 } }

    private static func take(_ limit: Int, from waiting: inout [Work]) -> [Work] {
        guard waiting.count > limit else {
            defer { waiting = [] }
            return waiting
        }
        defer { waiting.removeFirst(limit) }
        return Array(waiting.prefix(limit))
    }
}
