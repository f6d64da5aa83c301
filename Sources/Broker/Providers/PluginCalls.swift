import Logging
import NIOCore
import NIOPosix
import ProviderKit
import Synchronization

/// Runs the code of one entry's plugin for a limited time, on threads of its own unless it is known not to block.
///
/// A plugin may block its thread or ignore its cancellation. Its caller is answered at the deadline all the same, and
/// neither event loops nor other entries wait for it. Blocked threads cannot be ended: a restart frees them.
final class PluginCalls: Sendable {
    private struct State {
        var threads: PluginThreads?
        /// Calls that were given up and have not ended.
        var abandoned = 0
        /// The calls with a waiting caller, by their numbers.
        var running: [UInt64: RunningCall] = [:]
        var lastNumber: UInt64 = 0
        /// When the watch looks next; nil while there is none.
        var nextLook: ContinuousClock.Instant?
    }

    private struct RunningCall {
        let deadline: ContinuousClock.Instant
        let giveUp: @Sendable () -> Void
    }

    private let state = Mutex(State())
    private let provider: String
    private let metrics: PluginMetrics
    private let patience: Duration

    /// - Parameters:
    ///   - provider: The id of the entry.
    ///   - patience: For how long all threads may run one job each before they count as blocked.
    init(provider: String = "", patience: Duration = .seconds(20)) {
        self.provider = provider
        self.patience = patience
        metrics = PluginMetrics(provider: provider)
    }

    /// Calls that may be given up without having ended before further ones are refused.
    static let maximumAbandoned = 64

    /// The value of a plugin's work, which is cancelled at the end of `limit` and then not waited for.
    ///
    /// - Parameters:
    ///   - limit: The time that the work may take.
    ///   - staysOnEventLoop: Whether the work blocks no thread, so that it runs on the event loop of its caller, if there is
    ///     one: two changes of threads less.
    ///   - work: Calls the plugin.
    /// - Returns: What the work returns.
    /// - Throws: ``DeadlineExceeded``, a ``ProviderError`` when too many calls have not ended or all threads are blocked, or
    ///   what the work throws.
    func run<Value: Sendable>(
        within limit: Duration, staysOnEventLoop: Bool = false, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let executor = try executor(on: staysOnEventLoop ? MultiThreadedEventLoopGroup.currentEventLoop : nil)
        let call = PluginCall<Value>()
        let worker = Task(executorPreference: executor) { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await UpstreamBudget.limiting(work))
            } catch {
                result = .failure(error)
            }
            if !call.finish(with: result) { countAbandoned(-1) }
        }
        let number = watch(until: .now + limit) { [self] in
            // Counted before the worker can end as abandoned.
            countAbandoned(1)
            if !call.finish(with: .failure(DeadlineExceeded())) { countAbandoned(-1) }
            worker.cancel()
        }
        defer { state.withLock { _ = $0.running.removeValue(forKey: number) } }
        do {
            return try await withTaskCancellationHandler {
                try await call.value()
            } onCancel: {
                worker.cancel()
            }
        } catch let error as DeadlineExceeded {
            noteOverrun()
            throw error
        }
    }

    private func countAbandoned(_ change: Int) {
        let abandoned = state.withLock { state in
            state.abandoned += change
            return state.abandoned
        }
        metrics.record(unended: abandoned)
    }

    private func noteOverrun() {
        metrics.overran()
        let (unended, areBlocked) = hang
        let metadata: Logger.Metadata = ["provider": "\(provider)", "unended": "\(unended)"]
        if areBlocked {
            Logger.current.error("all threads of a plugin are blocked; only a restart frees them", metadata: metadata)
        } else {
            Logger.current.warning("plugin call cancelled at its deadline", metadata: metadata)
        }
    }

    /// The calls that were given up and have not ended, and whether all threads of the plugin are blocked.
    var hang: (unended: Int, areThreadsBlocked: Bool) {
        state.withLock { ($0.abandoned, $0.threads?.areBlocked(for: patience) ?? false) }
    }

    /// Gives a call up at its deadline, unless it is removed before. One task watches all calls: a timer for each would
    /// cost a sign-in more than its verification.
    ///
    /// - Returns: The number of the call.
    private func watch(
        until deadline: ContinuousClock.Instant, giveUp: @escaping @Sendable () -> Void
    ) -> UInt64 {
        let (number, isEarliest) = state.withLock { state in
            state.lastNumber += 1
            state.running[state.lastNumber] = RunningCall(deadline: deadline, giveUp: giveUp)
            let isEarliest = state.nextLook.map { deadline < $0 } ?? true
            if isEarliest { state.nextLook = deadline }
            return (state.lastNumber, isEarliest)
        }
        if isEarliest { Task.detached { await self.look(at: deadline) } }
        return number
    }

    /// Gives up what is due at each moment that is the next one, until no call is running or an earlier moment has a watch
    /// of its own.
    private func look(at first: ContinuousClock.Instant) async {
        var moment = first
        while true {
            try? await Task.sleep(until: moment, clock: .continuous)
            let (due, next) = state.withLock { state -> ([RunningCall], ContinuousClock.Instant?) in
                guard state.nextLook == moment else { return ([], nil) }
                let now = ContinuousClock.now
                let due = state.running.filter { $0.value.deadline <= now }
                for number in due.keys { state.running[number] = nil }
                state.nextLook = state.running.values.map(\.deadline).min()
                return (Array(due.values), state.nextLook)
            }
            for call in due { call.giveUp() }
            guard let next else { return }
            moment = next
        }
    }

    /// The event loop, or else the plugin's threads.
    private func executor(on eventLoop: (any EventLoop)?) throws(ProviderError) -> any TaskExecutor {
        let executor = state.withLock { state -> (any TaskExecutor)? in
            guard state.abandoned < Self.maximumAbandoned,
                state.abandoned == 0 || state.threads?.areBlocked(for: patience) != true
            else { return nil }
            if let eventLoop { return EventLoopExecutor(eventLoop) }
            let threads = state.threads ?? PluginThreads()
            state.threads = threads
            return threads
        }
        guard let executor else {
            throw ProviderError(.upstream, at: .fetchProfile, "too many calls of the plugin hang", retryAfter: 5)
        }
        return executor
    }
}

/// One call, whose first result counts.
private final class PluginCall<Value: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
        case delivered
    }

    private let state = Mutex(State.running)

    /// - Returns: Whether this is the first result.
    func finish(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .running:
                state = .finished(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .delivered
                return (true, continuation)
            case .finished, .delivered: return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }

    /// The first result; awaited once.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                guard case .finished(let result) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .delivered
                return result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}

/// A few threads for the plugin of one entry: what blocks them holds up that entry alone.
private final class PluginThreads: TaskExecutor {
    private static let count = 4
    private let pool = NIOThreadPool(numberOfThreads: PluginThreads.count)
    /// Jobs that run.
    private let running = Atomic(0)
    /// When a job began or ended last, in nanoseconds.
    private let lastChange = Atomic<UInt64>(0)

    init() { pool.start() }

    deinit { pool.shutdownGracefully { _ in } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in
            self.note(1)
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.note(-1)
        }
    }

    private func note(_ change: Int) {
        lastChange.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
        running.add(change, ordering: .relaxed)
    }

    /// Whether each thread has been running one job for as long as `duration`.
    func areBlocked(for duration: Duration) -> Bool {
        guard running.load(ordering: .relaxed) >= Self.count else { return false }
        let change = NIODeadline.uptimeNanoseconds(lastChange.load(ordering: .relaxed))
        return NIODeadline.now() - change >= TimeAmount(duration)
    }
}
