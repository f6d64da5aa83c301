import Dispatch
import Foundation
import Logging
import Synchronization

/// The threads of an engine, each with a connection of its own, and the work that waits for them.
///
/// Work starts a thread when none is free. A thread with a broken connection reconnects with growing pauses; meanwhile
/// its work waits for another connection, within its time limit.
final class PostgreSQLPool: Sendable {
    private struct State {
        var threads: [Completion] = []
        var connected = 0
        /// The reason and start of a failure to connect.
        var outage: (since: ContinuousClock.Instant, reason: String)?
    }

    private let state = Mutex(State())
    private let queue = WorkQueue<PostgreSQLWork>()
    /// Signalled when a thread need not wait to connect again: the pool is closing.
    private let closing = DispatchSemaphore(value: 0)
    private let opener: PostgreSQLOpener
    private let options: PostgreSQLOptions
    private let logger: Logger
    let counters = StoreCounters()

    init(_ opener: PostgreSQLOpener, _ options: PostgreSQLOptions, _ logger: Logger) {
        self.opener = opener
        self.options = options
        self.logger = logger
    }

    /// Queues a task for the threads.
    func add(_ task: PostgreSQLWork.Task) {
        let now = ContinuousClock.now
        let work = PostgreSQLWork(
            task: task, startBy: now.advanced(by: options.patience),
            deadline: now.advanced(by: options.transactionTimeout))
        if let refusal = refusal(at: now) { return work.fail(refusal) }
        // In one step with the registration of the thread, so that close() waits for it.
        let (isAccepted, newThread) = state.withLock { state in
            guard queue.append(work) else { return (false, Completion?.none) }
            guard queue.backlog > 0, state.threads.count < max(options.connections, 1) else { return (true, nil) }
            let finished = Completion()
            state.threads.append(finished)
            return (true, finished)
        }
        guard isAccepted else { return work.fail(StoreError(.closed, "the store was closed")) }
        if let newThread { startThread(newThread) }
    }

    /// Work fails at once while the server is known to be unreachable, or the queue is longer than can be done in time.
    private func refusal(at now: ContinuousClock.Instant) -> StoreError? {
        let outage = state.withLock { $0.connected == 0 ? $0.outage : nil }
        if let outage, now - outage.since > options.patience { return StoreError(.unavailable, outage.reason) }
        guard queue.backlog >= options.waiting else { return nil }
        return StoreError(.busy, "\(options.waiting) transactions wait for a connection")
    }

    /// Refuses what has waited for a connection too long; called every now and then.
    func refuseOverdue() {
        let now = ContinuousClock.now
        let overdue = queue.remove { $0.startBy <= now }
        guard !overdue.isEmpty else { return }
        let reason = state.withLock { $0.outage?.reason } ?? "every connection is busy"
        for work in overdue { work.fail(StoreError(.unavailable, "waited too long: \(reason)")) }
    }

    /// Refuses further work and lets the threads finish what waits.
    func close() {
        let count = state.withLock { state in
            queue.close()
            return state.threads.count
        }
        for _ in 0..<count { closing.signal() }
    }

    /// Returns when every thread has ended.
    func end() async {
        for thread in state.withLock({ $0.threads }) { await thread.wait() }
    }

    private func startThread(_ finished: Completion) {
        let thread = Thread { [self] in
            work()
            finished.reach()
        }
        thread.name = "store connection"
        thread.start()
    }

    private func work() {
        while let connection = connect() {
            let worker = PostgreSQLWorker(connection: connection, counters: counters)
            let isOver = workOff(on: worker)
            state.withLock { state in
                state.connected -= 1
                // The recorded failure to connect may have another reason than the broken connection.
                if state.connected == 0 { state.outage = nil }
            }
            guard !isOver else { return }
        }
        // The pool was closed while the database was out of reach, unless others are still connected.
        guard state.withLock({ $0.connected == 0 }) else { return }
        while case let left = queue.next(atMost: 64), !left.isEmpty {
            for work in left { work.fail(StoreError(.closed, "the store was closed")) }
        }
    }

    /// - Returns: true when there will be no more work, false when the connection broke.
    private func workOff(on worker: PostgreSQLWorker) -> Bool {
        while let work = queue.next(atMost: 1).first {
            guard worker.connection.isUsable, worker.run(work) else {
                queue.putBack(work)
                return false
            }
        }
        return true
    }

    /// Connects without a time limit; nil when the pool is closed before the database is available.
    private func connect() -> PostgreSQLConnection? {
        var pause = 0.02
        while true {
            do throws(StoreError) {
                let connection = try opener.open()
                let outage = state.withLock { state in
                    state.connected += 1
                    defer { state.outage = nil }
                    return state.outage
                }
                if outage != nil { logger.notice("The database answers again.") }
                return connection
            } catch {
                note(error)
            }
            guard !queue.isClosed else { return nil }
            _ = closing.wait(timeout: .now() + Double.random(in: pause / 2...pause))
            pause = min(pause * 2, 1)
        }
    }

    private func note(_ error: StoreError) {
        let isNews = state.withLock { state in
            guard state.outage == nil else { return false }
            state.outage = (.now, error.reason)
            return true
        }
        if isNews { logger.error("The database cannot be reached.", metadata: ["reason": "\(error.reason)"]) }
    }
}
