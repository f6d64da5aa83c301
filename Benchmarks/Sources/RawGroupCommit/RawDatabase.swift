import CSQLite

/// What SQLite said when it should have done something.
package struct RawDatabaseError: Error, CustomStringConvertible {
    package let description: String
}

/// A SQLite file with nothing in between; for one thread.
final class RawDatabase {
    private let handle: OpaquePointer

    /// Opens or makes a file with the settings of the broker's writer where they matter for speed.
    init(_ path: String) throws(RawDatabaseError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw RawDatabaseError(description: "\(path) cannot be opened")
        }
        self.handle = handle
        for setting in [
            "journal_mode = WAL", "synchronous = FULL", "mmap_size = 0", "cache_size = -16384",
            "wal_autocheckpoint = 4096",
        ] { try execute("PRAGMA \(setting)") }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws(RawDatabaseError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    func statement(_ sql: String) throws(RawDatabaseError) -> RawStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil) == SQLITE_OK, let statement else {
            throw failure(sql)
        }
        return RawStatement(statement, of: self)
    }

    private func failure(_ sql: String) -> RawDatabaseError {
        RawDatabaseError(description: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// A prepared statement of a ``RawDatabase``.
final class RawStatement {
    enum Value {
        case integer(Int64)
        case text(String)
    }

    private let handle: OpaquePointer
    /// Kept alive for as long as its statements.
    private let database: RawDatabase

    fileprivate init(_ handle: OpaquePointer, of database: RawDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs it to its end with values for `$1`, `$2`, …
    ///
    /// - Returns: how many rows it gave.
    @discardableResult
    func run(_ values: [Value]) throws(RawDatabaseError) -> Int {
        defer { sqlite3_reset(handle) }
        for (number, value) in values.enumerated() {
            let index = sqlite3_bind_parameter_index(handle, "$\(number + 1)")
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
            case let code: throw RawDatabaseError(description: "SQLite answers \(code)")
            }
        }
    }
}
