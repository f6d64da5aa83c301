/// One transaction body on its way to a connection, with the task that waits for its outcome.
///
/// Whoever holds the job calls exactly one delivery: one that ``perform`` returned, or ``fail``.
struct Job: Sendable {
    /// When somebody began to wait for it.
    let arrival = ContinuousClock.now
    /// Tells the waiting task how it went; called after the commit.
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

    /// How often a job runs whose rows meet others at a unique index: a value that is simply there will be there the next
    /// time as well.
    static let attemptsAtUniqueIndexes = 4

    /// Makes the next run draw keys that differ from those of every other process.
    func redrawKeys() { keys.redraw() }
}

extension WorkQueue<Job> {
    /// Hands `body` to the threads of this queue and waits for its outcome, whether the task is cancelled or not.
    func run<T: Sendable>(
        in context: TransactionContext, _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(in: context, body, answering: continuation)
            if !append(job) { job.fail(StoreError(.closed, "the store was closed")) }
        }
    }
}
