/// A query stands in the method that runs it: a name that is unique in the project, SQL that both engines understand, and
/// a value for each of `$1`, `$2`, …, in this order. `scripts/generate` lists them for the tests, which prepare each on
/// both engines; so name and SQL are literals, and the values are spelled `.text(…)`, `.time(…)` and so on.
///
/// An error is terminal: the transaction is rolled back even if the caller swallows it.
extension Transaction {
    /// Runs a query to its end.
    ///
    /// - Returns: The number of rows that it answers with, or has changed where it answers with none. A statement that needs
    ///   no more than this number has no `RETURNING`, for which SQLite makes a table.
    /// - Throws: ``StoreError``.
    @discardableResult
    func run(
        _ name: StaticString, _ sql: @autoclosure () -> String, _ values: SQLValue...
    ) throws(StoreError) -> Int {
        try connection.run(connection.statement(name, sql, for: values), values) { _ throws(StoreError) in }
    }

    /// Runs a query and reads each row.
    func rows<Value>(
        _ name: StaticString, _ sql: @autoclosure () -> String, _ values: SQLValue...,
        decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try connection.rows(connection.statement(name, sql, for: values), values, decode)
    }

    /// Runs a query and reads its first row; nil without one.
    func value<Value>(
        _ name: StaticString, _ sql: @autoclosure () -> String, _ values: SQLValue...,
        decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try value(connection.statement(name, sql, for: values), values: values, decode: decode)
    }

    /// Runs a query that answers with the columns of a record.
    func all<R: Record>(
        _ name: StaticString, _ sql: @autoclosure () -> String, _ values: SQLValue...
    ) throws(StoreError) -> [R] {
        try connection.rows(connection.statement(name, sql, for: values), values, R.init(reading:))
    }

    /// Runs a query that answers with the columns of a record, and reads the first; nil without one.
    func first<R: Record>(
        _ name: StaticString, _ sql: @autoclosure () -> String, _ values: SQLValue...
    ) throws(StoreError) -> R? {
        try value(connection.statement(name, sql, for: values), values: values, decode: R.init(reading:))
    }
}

/// The statements that a table's declaration or kind gives.
extension Transaction {
    @discardableResult
    func run(_ statement: Statement, _ values: SQLValue...) throws(StoreError) -> Int {
        try run(statement, values: values)
    }

    @discardableResult
    func run(_ statement: Statement, values: [SQLValue]) throws(StoreError) -> Int {
        try connection.run(statement, values) { _ throws(StoreError) in }
    }

    func rows<Value>(
        _ statement: Statement, _ values: SQLValue..., decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try rows(statement, values: values, decode: decode)
    }

    func rows<Value>(
        _ statement: Statement, values: [SQLValue], decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try connection.rows(statement, values, decode)
    }

    func value<Value>(
        _ statement: Statement, _ values: SQLValue..., decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try value(statement, values: values, decode: decode)
    }

    func value<Value>(
        _ statement: Statement, values: [SQLValue], decode: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        var first: Value?
        try connection.run(statement, values) { row throws(StoreError) in
            if first == nil { first = try decode(&row) }
        }
        return first
    }
}
