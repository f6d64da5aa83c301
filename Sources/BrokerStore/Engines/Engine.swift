/// What happens in a transaction. It may run more than once.
///
/// ``Store`` keeps what it returns, so engines do not depend on the type of that.
@usableFromInline
package typealias TransactionBody = @Sendable (borrowing Transaction) throws -> Void

/// A database that can keep the store. The tables know nothing else about it.
protocol Engine: Sendable {
    /// See ``Store/write(at:by:_:)``.
    func write(in context: TransactionContext, _ body: @escaping TransactionBody) async throws

    /// See ``Store/read(_:)``.
    func read(in context: TransactionContext, _ body: @escaping TransactionBody) async throws

    /// See ``Store/pointRead(_:)``.
    func pointRead(in context: TransactionContext, _ body: @escaping TransactionBody) async throws

    /// Runs statements that need nothing from each other in one transaction of their own, in as few steps as the
    /// database can do it, and reads their answers.
    func execute(
        _ calls: [Call], in context: TransactionContext,
        reading read: @escaping @Sendable (inout Answers) throws(StoreError) -> Void
    ) async throws

    /// See ``Store/close()``.
    func close() async

    var statistics: StoreStatistics { get }
}

/// The connection of a ``Transaction``, on the thread that owns it.
protocol Connection: AnyObject {
    /// Runs `statement` to its end. The first error of a transaction is repeated to every later call in it.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - values: A value for each parameter.
    ///   - each: Gets each row. It must not run a statement itself.
    /// - Returns: The number of rows that it answers with, or has changed where it answers with none.
    /// - Throws: ``StoreError``.
    @discardableResult
    func run(
        _ statement: Statement, _ values: [SQLValue], _ each: (inout Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Int

    /// The statement of a query of a method.
    func statement(_ name: StaticString, _ sql: () -> String, for values: [SQLValue]) -> Statement

    /// The rows of `transfers`. A connection that is asked in every transaction may remember them for as long as the
    /// data they are part of is unchanged.
    func transfers() throws(StoreError) -> [Transfer]

    /// Makes the transaction fail with `error`, as if a statement had come to it.
    func fail(_ error: StoreError)
}

extension Engine {
    func pointRead(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await read(in: context, body)
    }

    func execute(
        _ calls: [Call], in context: TransactionContext,
        reading read: @escaping @Sendable (inout Answers) throws(StoreError) -> Void
    ) async throws {
        try await write(in: context) { tx in try tx.answering(calls, read) }
    }
}

extension Connection {
    func transfers() throws(StoreError) -> [Transfer] { try rows(Transfer.every, [], Transfer.init(reading:)) }

    /// Runs `statement` and reads each row.
    func rows<Value>(
        _ statement: Statement, _ values: [SQLValue], _ decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        var found: [Value] = []
        try run(statement, values) { row throws(StoreError) in found.append(try decode(&row)) }
        return found
    }
}
