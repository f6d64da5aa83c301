import BrokerStore
import CSQLite

/// A SQLite file with nothing of ours in between; for one thread.
final class RawDatabase {
    private let handle: OpaquePointer

    /// Opens a file that a ``Store`` made, with the same settings where they matter for speed.
    init(_ path: String, _ synchronous: SQLiteOptions.Synchronous) throws(BenchmarkFailure) {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, let handle
        else { throw BenchmarkFailure("\(path) cannot be opened") }
        self.handle = handle
        try execute("PRAGMA synchronous = \(synchronous.rawValue)")
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA mmap_size = 0")
        try execute("PRAGMA cache_size = -16384")
        try execute("PRAGMA wal_autocheckpoint = \(SQLiteOptions().checkpointPages)")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws(BenchmarkFailure) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkFailure("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }

    /// A statement of the store.
    func statement(_ known: Statement) throws(BenchmarkFailure) -> RawStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, known.sql, -1, flags, &statement, nil) == SQLITE_OK, let statement else {
            throw BenchmarkFailure("\(known.name): \(String(cString: sqlite3_errmsg(handle)))")
        }
        return RawStatement(statement, parameters: known.parameters.count, of: self)
    }
}

/// A prepared statement of a ``RawDatabase``.
final class RawStatement {
    private let handle: OpaquePointer
    private let indexes: [Int32]
    /// Kept alive for as long as its statements.
    private let database: RawDatabase

    fileprivate init(_ handle: OpaquePointer, parameters: Int, of database: RawDatabase) {
        self.handle = handle
        self.database = database
        indexes = (0..<parameters).map { sqlite3_bind_parameter_index(handle, "$\($0 + 1)") }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    enum Value {
        case integer(Int64)
        case text(String)
    }

    /// Runs it to its end.
    ///
    /// - Returns: how many rows it gave.
    @discardableResult
    func run(_ values: [Value]) throws(BenchmarkFailure) -> Int {
        defer { sqlite3_reset(handle) }
        for (value, index) in zip(values, indexes) {
            switch value {
            case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
            case .text(let text): _ = csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
            }
        }
        var rows = 0
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: rows += 1
            case SQLITE_DONE: return rows
            case let code: throw BenchmarkFailure("SQLite answers \(code)")
            }
        }
    }
}
