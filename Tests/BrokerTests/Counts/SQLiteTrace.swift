import CSQLite
import Foundation
import Synchronization

/// Counts the SQL statements that all connections of this process to one SQLite file run, and what the file holds.
final class SQLiteTrace: Sendable {
    /// By path. None is removed: a connection that is still open refers to it.
    private static let traces = Mutex<[String: SQLiteTrace]>([:])

    private let path: String
    private let count = Atomic<Int>(0)

    /// Counts for connections that are opened from now on.
    init(of path: String) {
        self.path = path
        _ = Self.isInstalled
        Self.traces.withLock { $0[path] = self }
    }

    /// Statements so far, without those that begin and end transactions.
    var statements: Int { count.load(ordering: .relaxed) }

    /// Pages written to the write-ahead log since it began.
    ///
    /// Taken from its size: to open and close the file would take the store's locks from this process.
    var walFrames: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return max((attributes?[.size] as? Int ?? 0) - 32, 0) / (4096 + 24)
    }

    /// The bytes of all rows and index entries.
    func payload() throws -> Int {
        var handle: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(handle)
        }
        // This connection's statements are not the store's.
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_trace_v2(handle, 0, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(handle, "SELECT sum(payload) FROM dbstat", -1, &statement, nil)
                == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
        else { throw TestFailure("dbstat: \(String(cString: sqlite3_errmsg(handle)))") }
        return Int(sqlite3_column_int64(statement, 0))
    }

    private func take(_ sql: String) {
        // A trigger's statements come as comments.
        let others = ["--", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA"]
        if !others.contains(where: sql.hasPrefix) { count.add(1, ordering: .relaxed) }
    }

    /// SQLite calls this for each connection that is opened in this process.
    private static let isInstalled: Bool = {
        let begin:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafeRawPointer?
            ) -> Int32 = { connection, _, _ in
                guard let path = sqlite3_db_filename(connection, "main").map({ String(cString: $0) }),
                    let trace = traces.withLock({ $0[path] })
                else { return SQLITE_OK }
                return sqlite3_trace_v2(
                    connection, UInt32(SQLITE_TRACE_STMT),
                    { _, trace, _, sql in
                        guard let trace, let sql else { return 0 }
                        Unmanaged<SQLiteTrace>.fromOpaque(trace).takeUnretainedValue()
                            .take(String(cString: sql.assumingMemoryBound(to: CChar.self)))
                        return 0
                    }, Unmanaged.passUnretained(trace).toOpaque())
            }
        return sqlite3_auto_extension(unsafeBitCast(begin, to: (@convention(c) () -> Void).self)) == SQLITE_OK
    }()
}
