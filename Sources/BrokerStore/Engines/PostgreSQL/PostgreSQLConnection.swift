import CPostgres
import Foundation

/// A connection to PostgreSQL, bound to the thread that opened it.
///
/// Commands are pipelined: a transaction begins with its first statement, and a statement is prepared with its first
/// execution, in one round trip.
final class PostgreSQLConnection: Connection {
    /// The sentences around the statements of a transaction; prepared like all others.
    enum Control {
        static let beginWriting = sentence("begin_writing", "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
        static let beginReading = sentence("begin_reading", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        static let commit = sentence("commit", "COMMIT")
        static let rollback = sentence("rollback", "ROLLBACK")

        private static func sentence(_ name: String, _ sql: String) -> Statement { Statement(name, sql) }
    }

    private let pipeline: PostgreSQLPipeline
    private var queries = QueryStatements()
    /// The BEGIN that precedes the transaction's first statement.
    private var pendingBeginning: Statement?
    private var isInTransaction = false
    private var isReadOnly = false
    /// The first failure of the transaction.
    private(set) var failure: PostgreSQLFailure?

    init(over pipeline: PostgreSQLPipeline) {
        self.pipeline = pipeline
    }

    /// False once the connection is known to be broken, without a request to the server.
    var isUsable: Bool { pipeline.isUsable }

    /// Starts a transaction that has to be over at `deadline`.
    func begin(_ beginning: Statement, by deadline: ContinuousClock.Instant) {
        pipeline.deadline = deadline
        pendingBeginning = beginning
        isReadOnly = beginning == Control.beginReading
        isInTransaction = false
        failure = nil
    }

    func run(
        _ statement: Statement, _ values: [SQLValue], _ each: (inout Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        if let failure { throw failure.error }
        do throws(PostgreSQLFailure) {
            guard let result = try result(statement, values) else { return 0 }
            do throws(StoreError) {
                return try result.forEachRow(of: statement.name, each)
            } catch {
                throw .refused(error)
            }
        } catch {
            let isOwnMistake = isReadOnly && error.error.kind == .readOnly
            failure = isOwnMistake ? .refused(error.error) : error
            throw error.error
        }
    }

    func statement(_ name: StaticString, _ sql: () -> String, for values: [SQLValue]) -> Statement {
        queries.statement(name, sql, for: values)
    }

    func fail(_ error: StoreError) {
        failure = failure ?? (error.kind == .rowKeyTaken ? .conflict(error) : .refused(error))
    }

    private func result(
        _ statement: Statement, _ values: [SQLValue]
    ) throws(PostgreSQLFailure) -> PostgreSQLResult? {
        do throws(StoreError) { try statement.check(values) } catch { throw .refused(error) }
        var calls = [Call(statement, values)]
        if let beginning = pendingBeginning {
            calls.insert(Call(beginning, []), at: 0)
            pendingBeginning = nil
            isInTransaction = true
        }
        return try pipeline.exchange(calls).last
    }

    /// Makes what was written durable.
    ///
    /// - Throws: `.conflict` or `.lost` when it was rolled back and may be repeated; `.refused` with `.outcomeUnknown` when
    ///   its outcome is unknown.
    func commit() throws(PostgreSQLFailure) {
        guard isInTransaction else { return }
        isInTransaction = false
        // No commit was sent yet, so a failure here is certain.
        guard pipeline.isUsable else {
            throw .lost(StoreError(.unavailable, "the server hung up before the commit"))
        }
        let warnings = pipeline.warningCount
        let tag: String
        do {
            tag = try pipeline.control(Control.commit)
        } catch {
            throw Self.uncertain(error)
        }
        try certify(since: warnings)
        guard tag == "COMMIT" else {
            throw .refused(StoreError(.unavailable, "COMMIT came to \(tag); nothing was written"))
        }
    }

    /// Undoes the transaction, as far as there is one; the server does so itself when the connection ends.
    func rollBack() {
        pendingBeginning = nil
        guard isInTransaction else { return }
        isInTransaction = false
        if pipeline.isUsable { _ = try? pipeline.control(Control.rollback) }
    }

    /// Runs `calls` in one transaction of their own, one round trip in all.
    func execute(
        _ calls: [Call], by deadline: ContinuousClock.Instant
    ) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        begin(Control.beginWriting, by: deadline)
        pendingBeginning = nil
        for call in calls {
            do throws(StoreError) { try call.statement.check(call.values) } catch { throw .refused(error) }
        }
        let warnings = pipeline.warningCount
        let results: [PostgreSQLResult]
        do {
            results = try pipeline.exchange(calls)
        } catch {
            // The server may have committed before it could say so.
            guard case .lost = error, pipeline.isOutcomeOpen else { throw error }
            throw Self.uncertain(error)
        }
        try certify(since: warnings)
        return results
    }

    /// A commit that came with a warning is not certain: a server that stops waiting for its synchronous standby says
    /// that it has committed, with no more than a warning that the standby may not have it.
    private func certify(since warnings: Int32) throws(PostgreSQLFailure) {
        guard pipeline.warningCount != warnings else { return }
        throw .refused(StoreError(.outcomeUnknown, "the server committed with a warning; a standby may not have it"))
    }

    private static func uncertain(_ failure: PostgreSQLFailure) -> PostgreSQLFailure {
        guard case .lost(let error) = failure else { return failure }
        return .refused(StoreError(.outcomeUnknown, error.reason))
    }
}
