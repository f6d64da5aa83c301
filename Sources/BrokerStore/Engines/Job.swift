import Synchronization

/// A queued transaction body, with the task that awaits its outcome.
///
/// The holder of the job calls ``perform(on:)`` and ``settle(with:)`` as often as it takes, and ``deliver()`` once at the end.
final class Job: Sendable {
    /// The maximum number of runs of a job with unique violations. A value that exists already causes one in every run.
    static let attemptsAtUniqueIndexes = 4

    /// The time at which the job was made.
    let arrival = ContinuousClock.now
    private let context: TransactionContext
    private let body: TransactionBody
    private let task: CheckedContinuation<Void, any Error>
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    init(
        in context: TransactionContext, _ body: @escaping TransactionBody,
        answering task: CheckedContinuation<Void, any Error>
    ) {
        self.context = context
        self.body = body
        self.task = task
    }

    /// Runs the body; its end is the outcome. May be called again if what it did was rolled back.
    func perform(on connection: any Connection) throws {
        try body(Transaction(on: connection, in: context))
        outcome.withLock { $0 = .success(()) }
    }

    /// Makes `error` the outcome.
    func settle(with error: any Error) {
        outcome.withLock { $0 = .failure(error) }
    }

    /// Resumes the waiting task with the latest outcome; called after the commit.
    func deliver() {
        if let outcome = outcome.withLock({ $0 }) { task.resume(with: outcome) }
    }

    /// Resumes the waiting task with `error`.
    func fail(_ error: any Error) {
        settle(with: error)
        deliver()
    }

    /// Makes the next run draw keys that differ from those of every other process.
    func redrawKeys() { context.keys.redraw() }
}

extension WorkQueue<Job> {
    /// Queues `body` for the threads and waits for its outcome, even if the task is cancelled.
    func run(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await withCheckedThrowingContinuation { task in
            let job = Job(in: context, body, answering: task)
            if !append(job) { job.fail(StoreError(.closed, "the store was closed")) }
        }
    }
}
