import CSQLite
import StoreSchema

/// A prepared statement of one connection, valid as long as the connection.
final class SQLiteStatement {
    private let handle: OpaquePointer
    let name: String
    private let connection: OpaquePointer
    /// SQLite's own number of `$1`, `$2`, …: it numbers parameters by first appearance.
    private let indexes: [Int32]
    /// The number of columns of a row.
    let width: Int32
    /// Whether it may change the file.
    let mayWrite: Bool
    /// Whether it may write to `transfers`.
    let changesTransfers: Bool

    init(_ sql: String, named name: String, parameters: Int, on connection: OpaquePointer) throws(StoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw StoreError(code, of: connection, in: name) }
        indexes = (0..<parameters).map { sqlite3_bind_parameter_index(handle, "$\($0 + 1)") }
        guard !indexes.contains(0), sqlite3_bind_parameter_count(handle) == parameters else {
            sqlite3_finalize(handle)
            throw StoreError(.misuse, "\(name): the parameters of the SQL text are not $1 to $\(parameters)")
        }
        width = sqlite3_column_count(handle)
        mayWrite = sqlite3_stmt_readonly(handle) == 0
        changesTransfers = mayWrite && sql.contains("transfers")
        self.handle = handle
        self.name = name
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs a statement that has neither parameters nor rows.
    func step() throws(StoreError) {
        let code = sqlite3_step(handle)
        let error = code == SQLITE_DONE || code == SQLITE_ROW ? nil : StoreError(code, of: connection, in: name)
        sqlite3_reset(handle)
        if let error { throw error }
    }

    /// Runs a statement that has no parameters and at most one interesting value.
    func firstValue() throws(StoreError) -> SQLValue? {
        var value: SQLValue?
        try forEachRow { () throws(StoreError) in if value == nil { value = try self.value(at: 0) } }
        return value
    }

    /// Runs it with `values`, one for each parameter, which stand in `memory` meanwhile.
    ///
    /// - Returns: The number of rows that it answers with, or has changed where it answers with none.
    func run(
        _ values: [SQLValue], in memory: BoundValues, _ each: (inout Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        memory.makeRoom(for: values)
        for position in values.indices {
            let code = bind(values[position], at: indexes[position], in: memory)
            guard code == SQLITE_OK else { throw StoreError(code, of: connection, in: name) }
        }
        var count = 0
        try forEachRow { () throws(StoreError) in
            count += 1
            var row = Row(.sqlite(self))
            try each(&row)
        }
        return width == 0 ? Int(sqlite3_changes(connection)) : count
    }

    private func forEachRow(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        while true {
            let code = sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try body()
            case SQLITE_DONE: return
            default: throw StoreError(code, of: connection, in: name)
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32, in memory: BoundValues) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .blob(let bytes):
            let place = bytes.withUnsafeBytes { memory.place($0) }
            return sqlite3_bind_blob64(handle, index, place.baseAddress, sqlite3_uint64(place.count), nil)
        case .text(var text):
            let place = text.withUTF8 { memory.place(UnsafeRawBufferPointer($0)) }
            let characters = place.bindMemory(to: CChar.self).baseAddress
            return sqlite3_bind_text64(handle, index, characters, sqlite3_uint64(place.count), nil, UInt8(SQLITE_UTF8))
        }
    }

    /// The value of a column of the present row, whatever its type; a null has no type of its own.
    func value(at column: Int32) throws(StoreError) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
        case SQLITE_NULL: .null(.integer)
        case SQLITE_BLOB: .blob(readBlob(at: column))
        case SQLITE_TEXT: .text(try readText(at: column))
        default: throw unexpected(at: column)
        }
    }

    /// The integer in a column of the present row; nil for null.
    func integer(at column: Int32) throws(StoreError) -> Int64? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return sqlite3_column_int64(handle, column)
        case SQLITE_NULL: return nil
        default: throw unexpected(at: column)
        }
    }

    /// The text in a column of the present row; nil for null.
    func text(at column: Int32) throws(StoreError) -> String? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_TEXT: return try readText(at: column)
        case SQLITE_NULL: return nil
        default: throw unexpected(at: column)
        }
    }

    /// The bytes in a column of the present row; nil for null.
    func blob(at column: Int32) throws(StoreError) -> [UInt8]? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_BLOB: return readBlob(at: column)
        case SQLITE_NULL: return nil
        default: throw unexpected(at: column)
        }
    }

    private func readText(at column: Int32) throws(StoreError) -> String {
        // SQLite ends it with a zero. The initializer for a buffer is generic, and costs more than the rest of a column.
        let start = UnsafeRawPointer(sqlite3_column_text(handle, column))?.assumingMemoryBound(to: CChar.self)
        guard let text = start.flatMap(String.init(validatingCString:)), text.utf8.count == byteCount(of: column) else {
            throw StoreError(.corrupt, "\(name): column \(column + 1) is not UTF-8, or has a zero in it")
        }
        return text
    }

    private func readBlob(at column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(handle, column)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: byteCount(of: column)))
    }

    private func unexpected(at column: Int32) -> StoreError {
        let found =
            switch sqlite3_column_type(handle, column) {
            case SQLITE_INTEGER: "an integer"
            case SQLITE_TEXT: "text"
            case SQLITE_BLOB: "bytes"
            default: "a floating-point number"
            }
        return StoreError(.corrupt, "\(name): column \(column + 1) is \(found)")
    }

    private func byteCount(of column: Int32) -> Int {
        Int(sqlite3_column_bytes(handle, column))
    }
}
