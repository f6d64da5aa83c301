import Foundation
import Logging

/// The store in a PostgreSQL database that any number of brokers share.
final class PostgreSQLEngine: Engine {
    private let pool: PostgreSQLPool
    /// Fails work that waits too long while there is no connection.
    private let watch: Task<Void, Never>

    private init(_ pool: PostgreSQLPool) {
        self.pool = pool
        watch = Task.detached { [weak pool] in
            while (try? await Task.sleep(for: .milliseconds(100))) != nil, let pool { pool.refuseOverdue() }
        }
    }

    deinit {
        watch.cancel()
        pool.close()
    }

    /// See ``Store/open(postgreSQL:options:now:logger:)``.
    static func open(
        _ connectionString: String, options: PostgreSQLOptions, history: SchemaHistory, now: Timestamp,
        logger: Logger
    ) async throws(StoreError) -> PostgreSQLEngine {
        let opener = PostgreSQLOpener(target: try PostgreSQLTarget(connectionString), options: options)
        let opening = PostgreSQLOpening(opener: opener, history: history, logger: logger)
        let opened: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            let thread = Thread {
                do throws(StoreError) {
                    try opening(at: now)
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            thread.name = "store opening"
            thread.start()
        }
        try opened.get()
        return PostgreSQLEngine(PostgreSQLPool(opener, options, logger))
    }

    func write(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await withCheckedThrowingContinuation { pool.add(.write(Job(in: context, body, answering: $0))) }
    }

    func read(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await withCheckedThrowingContinuation { pool.add(.read(Job(in: context, body, answering: $0))) }
    }

    func execute(
        _ calls: [Call], in context: TransactionContext,
        reading read: @escaping @Sendable (inout Answers) throws(StoreError) -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { task in
            pool.add(
                .calls(
                    calls,
                    answer: { results in
                        var answers = Answers(to: calls, from: .results(results))
                        task.resume(with: Result { () throws(StoreError) in try read(&answers) })
                    }, fail: { task.resume(throwing: $0) }))
        }
    }

    func close() async {
        pool.close()
        await pool.end()
        watch.cancel()
    }

    var statistics: StoreStatistics { pool.counters.statistics }
}
