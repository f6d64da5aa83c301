import CSQLite

/// A connection to a SQLite file, bound to the thread that opened it.
final class SQLiteConnection: Connection {
    /// The sentences that move a transaction forward; prepared like all others.
    enum Control: String {
        case begin = "BEGIN"
        case beginImmediate = "BEGIN IMMEDIATE"
        case commit = "COMMIT"
        case rollback = "ROLLBACK"
        case savepoint = "SAVEPOINT job"
        case release = "RELEASE job"
        case rollbackToSavepoint = "ROLLBACK TO job"
    }

    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private var controls: [Control: SQLiteStatement] = [:]
    private let values = BoundValues()
    /// The first error since ``clearFailure()``.
    private(set) var failure: StoreError?

    /// Takes over `handle`; closes it at the end.
    init(owning handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        statements = [:]
        controls = [:]
        sqlite3_close_v2(handle)
    }

    /// False when no transaction was begun, or when SQLite rolled it back by itself (a full disk, for one).
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func clearFailure() {
        failure = nil
    }

    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreError) -> [Row] {
        if let failure { throw failure }
        do {
            try statement.check(values)
            return try prepared(statement).rows(for: values, in: self.values)
        } catch {
            failure = error
            throw error
        }
    }

    func fail(_ error: StoreError) {
        failure = failure ?? error
    }

    func control(_ control: Control) throws(StoreError) {
        if let statement = controls[control] { return try statement.step() }
        let statement = try SQLiteStatement(control.rawValue, named: control.rawValue, parameters: 0, on: handle)
        controls[control] = statement
        try statement.step()
    }

    /// Runs DDL or a PRAGMA, once, and returns the first column of its first row.
    @discardableResult
    func once(_ sql: String) throws(StoreError) -> SQLValue? {
        try SQLiteStatement(sql, named: sql, parameters: 0, on: handle).firstValue()
    }

    private func prepared(_ statement: Statement) throws(StoreError) -> SQLiteStatement {
        if let prepared = statements[statement.name] { return prepared }
        let prepared = try SQLiteStatement(
            statement.sql, named: statement.name, parameters: statement.parameters.count, on: handle)
        statements[statement.name] = prepared
        return prepared
    }
}
