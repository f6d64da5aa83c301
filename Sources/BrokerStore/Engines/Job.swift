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

    init<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T,
        answering continuation: CheckedContinuation<T, any Error>
    ) {
        perform = { connection in
            let transaction = Transaction(on: connection)
            let value = try body(transaction)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
    }
}

extension WorkQueue<Job> {
    /// Hands `body` to the threads of this queue and waits for its outcome, whether the task is cancelled or not.
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(body, answering: continuation)
            if !append(job) { job.fail(StoreError(.closed, "the store was closed")) }
        }
    }
}
