import Synchronization

/// A queued transaction body, with the task that awaits its outcome.
///
/// The holder of the job calls ``perform(on:)`` and ``settle(with:)`` as often as it takes, and ``deliver()`` once at the end.
protocol Job: AnyObject, Sendable {
    /// The time at which the job was made.
    var arrival: ContinuousClock.Instant { get }

    /// Runs the body; what it returns is the outcome. May be called again if what it did was rolled back.
    func perform(on connection: any Connection) throws

    /// Makes `error` the outcome.
    func settle(with error: any Error)

    /// Resumes the waiting task with the latest outcome; called after the commit.
    func deliver()

    /// Makes the next run draw keys that differ from those of every other process.
    func redrawKeys()
}

extension Job {
    /// Resumes the waiting task with `error`.
    func fail(_ error: any Error) {
        settle(with: error)
        deliver()
    }
}

enum JobRules {
    /// The maximum number of runs of a job with unique violations. A value that exists already causes one in every run.
    static let attemptsAtUniqueIndexes = 4
}

/// A job whose body returns a `Value`: one object, which holds the outcome from the run to the commit.
final class TransactionJob<Value: Sendable>: Job {
    let arrival = ContinuousClock.now
    private let context: TransactionContext
    private let body: @Sendable (borrowing Transaction) throws -> Value
    private let task: CheckedContinuation<Value, any Error>
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    init(
        in context: TransactionContext, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value,
        answering task: CheckedContinuation<Value, any Error>
    ) {
        self.context = context
        self.body = body
        self.task = task
    }

    func perform(on connection: any Connection) throws {
        let value = try body(Transaction(on: connection, in: context))
        outcome.withLock { $0 = .success(value) }
    }

    func settle(with error: any Error) {
        outcome.withLock { $0 = .failure(error) }
    }

    func deliver() {
        if let outcome = outcome.withLock({ $0 }) { task.resume(with: outcome) }
    }

    func redrawKeys() { context.keys.redraw() }
}

extension WorkQueue<any Job> {
    /// Queues `body` for the threads and waits for its outcome, even if the task is cancelled.
    func run<T: Sendable>(
        in context: TransactionContext, _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { task in
            let job = TransactionJob(in: context, body, answering: task)
            if !append(job) { job.fail(StoreError(.closed, "the store was closed")) }
        }
    }
}
