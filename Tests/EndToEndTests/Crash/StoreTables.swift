import CSQLite
import PostgreSQLTesting
import ProviderKit

/// The tables behind a broker, read past it.
enum StoreTables {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    case sqlite(path: String)
    case postgreSQL(url: String)

    init(of installation: Installation) {
        self =
            switch installation.database["url"]?.string {
            case .some(let url): .postgreSQL(url: url)
            case nil: .sqlite(path: installation.databaseFile)
            }
    }

    /// The rows of a query, every column as text; NULL is `nil`.
    func rows(_ sql: String) throws -> [[String?]] {
        switch self {
        case .sqlite(let path): try Self.rows(sql, at: path)
        case .postgreSQL(let url): try RawPostgreSQL(url).run(sql)
        }
    }

    /// What the database itself finds wrong with its files.
    func damage() throws -> [[String?]] {
        guard case .sqlite = self else { return [] }
        return try rows("PRAGMA integrity_check").filter { $0 != ["ok"] } + rows("PRAGMA foreign_key_check")
    }

    private static func rows(_ sql: String, at path: String) throws -> [[String?]] {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { throw failure(handle) }
        sqlite3_busy_timeout(handle, 10_000)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(handle) }
        var rows: [[String?]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) }
                    })
            case SQLITE_DONE: return rows
            default: throw failure(handle)
            }
        }
    }

    private static func failure(_ handle: OpaquePointer?) -> Failure {
        Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
}

extension Installation {
    /// The SQLite file.
    var databaseFile: String { folder.file("data/broker.sqlite") }
}
