import NIOPosix
import ProviderKit
import Synchronization

/// Runs the code of one entry's plugin, on threads of its own and for a limited time.
///
/// A plugin may block its thread or ignore its cancellation. Its caller is answered at the deadline all the same, and
/// neither event loops nor other entries wait for it.
final class PluginCalls: Sendable {
    private struct State {
        var threads: PluginThreads?
        /// Calls that were given up and have not ended.
        var abandoned = 0
    }

    private let state = Mutex(State())

    /// Calls that may be given up without having ended before further ones are refused.
    static let maximumAbandoned = 64

    /// The value of a plugin's work, which is cancelled at the end of `limit` and then not waited for.
    ///
    /// - Throws: ``DeadlineExceeded``, a ``ProviderError`` when too many calls have not ended, or what the work throws.
    func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let threads = try threads()
        let call = PluginCall<Value>()
        let worker = Task(executorPreference: threads) { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            if !call.finish(with: result) { state.withLock { $0.abandoned -= 1 } }
        }
        let timer = Task { [self] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            // Counted before the worker can end as abandoned.
            state.withLock { $0.abandoned += 1 }
            if !call.finish(with: .failure(DeadlineExceeded())) { state.withLock { $0.abandoned -= 1 } }
            worker.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await call.value()
        } onCancel: {
            worker.cancel()
        }
    }

    private func threads() throws(ProviderError) -> PluginThreads {
        let threads = state.withLock { state -> PluginThreads? in
            guard state.abandoned < Self.maximumAbandoned else { return nil }
            let threads = state.threads ?? PluginThreads()
            state.threads = threads
            return threads
        }
        guard let threads else {
            throw ProviderError(.upstream, at: .fetchProfile, "too many calls of the plugin hang", retryAfter: 5)
        }
        return threads
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
    private let pool = NIOThreadPool(numberOfThreads: 4)

    init() { pool.start() }

    deinit { pool.shutdownGracefully { _ in } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
