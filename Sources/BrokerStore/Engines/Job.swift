/// A queued transaction body, with the task that awaits its outcome.
///
/// The holder of the job calls exactly one delivery: one that ``perform`` returned, or ``fail``.
struct Job: Sendable {
    /// The time at which the job was queued.
    let arrival = ContinuousClock.now
    /// Resumes the waiting task with the outcome; called after the commit.
    typealias Delivery = @Sendable () -> Void

    /// Runs the body. May be called again if what it did was rolled back.
    let perform: @Sendable (any Connection) throws -> Delivery
    let fail: @Sendable (any Error) -> Void
    private let keys: KeyGenerator

    init<T: Sendable>(
        in context: TransactionContext, _ body: @escaping @Sendable (borrowing Transaction) throws -> T,
        answering continuation: CheckedContinuation<T, any Error>
    ) {
        perform = { connection in
            let transaction = Transaction(on: connection, in: context)
            let value = try body(transaction)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
        keys = context.keys
    }

    /// The maximum number of runs of a job with unique violations. A value that exists already causes one in every run.
    static let attemptsAtUniqueIndexes = 4

    /// Makes the next run draw keys that differ from those of every other process.
    func redrawKeys() { keys.redraw() }
}

extension WorkQueue<Job> {
    /// Queues `body` for the threads and waits for its outcome, even if the task is cancelled.
    func run<T: Sendable>(
        in context: TransactionContext, _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(in: context, body, answering: continuation)
            if !append(job) { job.fail(StoreError(.closed, "the store was closed")) }
        }
    }
}
