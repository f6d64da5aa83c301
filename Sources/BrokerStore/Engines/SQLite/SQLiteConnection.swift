import CSQLite

/// A connection to a SQLite file, bound to the thread that opened it.
final class SQLiteConnection: Connection {
    /// The sentences that move a transaction forward; prepared like all others.
    enum Control: Int, CaseIterable {
        case begin, beginImmediate, commit, rollback, savepoint, release, rollbackToSavepoint

        fileprivate var sql: String {
            switch self {
            case .begin: "BEGIN"
            case .beginImmediate: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"
            case .savepoint: "SAVEPOINT job"
            case .release: "RELEASE job"
            case .rollbackToSavepoint: "ROLLBACK TO job"
            }
        }
    }

    let handle: OpaquePointer
    /// By ``Statement/number``.
    private var statements: [SQLiteStatement?] = []
    private var controls: [SQLiteStatement?] = Array(repeating: nil, count: Control.allCases.count)
    private let values = BoundValues()
    private var knownTransfers: KnownTransfers
    /// The first error since ``clearFailure()``.
    private(set) var failure: StoreError?

    /// Takes over `handle`; closes it at the end.
    init(owning handle: OpaquePointer) {
        self.handle = handle
        knownTransfers = KnownTransfers(of: handle)
    }

    deinit {
        statements = []
        controls = []
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
            let prepared = try prepared(statement)
            if prepared.changesTransfers { knownTransfers.change() }
            return try prepared.rows(for: values, in: self.values)
        } catch {
            failure = error
            throw error
        }
    }

    func transfers() throws(StoreError) -> [Row] {
        if let failure { throw failure }
        if let rows = knownTransfers.rows { return rows }
        let rows = try run(TransferStatements.every, [])
        knownTransfers.learn(rows)
        return rows
    }

    func fail(_ error: StoreError) {
        failure = failure ?? error
    }

    func control(_ control: Control) throws(StoreError) {
        let statement = try prepared(control)
        switch control {
        case .begin, .beginImmediate:
            knownTransfers.begin()
            try statement.step()
        case .commit: try knownTransfers.keep(across: { () throws(StoreError) in try statement.step() })
        case .rollback, .savepoint, .release, .rollbackToSavepoint: try statement.step()
        }
    }

    /// Runs DDL or a PRAGMA, once, and returns the first column of its first row.
    @discardableResult
    func once(_ sql: String) throws(StoreError) -> SQLValue? {
        try SQLiteStatement(sql, named: sql, parameters: 0, on: handle).firstValue()
    }

    private func prepared(_ control: Control) throws(StoreError) -> SQLiteStatement {
        if let prepared = controls[control.rawValue] { return prepared }
        let prepared = try SQLiteStatement(control.sql, named: control.sql, parameters: 0, on: handle)
        controls[control.rawValue] = prepared
        return prepared
    }

    private func prepared(_ statement: Statement) throws(StoreError) -> SQLiteStatement {
        let number = statement.number
        if number >= statements.count {
            statements += Array(repeating: nil, count: number + 1 - statements.count)
        } else if let prepared = statements[number] {
            return prepared
        }
        let prepared = try SQLiteStatement(
            statement.sql, named: statement.name, parameters: statement.parameters.count, on: handle)
        statements[number] = prepared
        return prepared
    }
}
