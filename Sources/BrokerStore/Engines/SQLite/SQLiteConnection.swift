import CSQLite
import Foundation

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
    private var queries = QueryStatements()
    /// Whether a row is being read: its statement's values stand in ``values``.
    private var isReading = false
    private var knownTransfers: KnownTransfers
    /// The first error since ``beginWork()``.
    private(set) var failure: StoreError?
    /// Whether a statement that may write was run since ``beginWork()``.
    private(set) var hasWritten = false

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

    func beginWork() {
        failure = nil
        hasWritten = false
    }

    func run(
        _ statement: Statement, _ values: [SQLValue], _ each: (inout Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        if let failure { throw failure }
        do throws(StoreError) {
            guard !isReading else { throw StoreError(.misuse, "\(statement.name) runs while a row is read") }
            try statement.check(values)
            let prepared = try prepared(statement)
            if prepared.mayWrite { hasWritten = true }
            if prepared.changesTransfers { knownTransfers.change() }
            isReading = true
            defer { isReading = false }
            return try prepared.run(values, in: self.values, each)
        } catch {
            failure = error
            throw error
        }
    }

    func statement(_ name: StaticString, _ sql: () -> String, for values: [SQLValue]) -> Statement {
        queries.statement(name, sql, for: values)
    }

    func transfers() throws(StoreError) -> [Transfer] {
        if let failure { throw failure }
        if let rows = knownTransfers.rows { return rows }
        let rows = try rows(Transfer.every, [], Transfer.init(reading:))
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

    /// Returns once the pages that a ``checkpointer(_:_:)`` has copied are on the disk.
    func syncCopies() throws(StoreError) {
        let code = csqlite_sync_copies(handle)
        guard code == SQLITE_OK else {
            throw StoreError(StoreError.Kind(sqlite: code), "sync: \(String(cString: sqlite3_errstr(code)))")
        }
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

    /// "Brkr" in ASCII: the mark in the header of every database file of the broker.
    static let applicationID: Int64 = 0x4272_6b72

    /// Set up before the first connection of the process.
    private static let setUp: Void = {
        _ = csqlite_count_no_allocations()
        _ = csqlite_use_cache()
    }()

    /// A connection that may write. Makes the file, mode 0600, if there is none.
    static func writer(_ path: String, _ options: SQLiteOptions) throws(StoreError) -> SQLiteConnection {
        try createFile(path)
        do {
            return try existingFile(path, options)
        } catch {
            throw error.opening(path)
        }
    }

    /// A connection that copies the write-ahead log, a few pages at once on their way to the disk.
    static func checkpointer(_ path: String, _ options: SQLiteOptions) throws(StoreError) -> SQLiteConnection {
        let connection = try writer(path, options)
        guard csqlite_sync_while_copying(connection.handle) == SQLITE_OK else {
            throw StoreError(.unavailable, "\(path): this SQLite library does not lend its file")
        }
        return connection
    }

    private static func existingFile(
        _ path: String, _ options: SQLiteOptions
    ) throws(StoreError) -> SQLiteConnection {
        let connection = try open(path, SQLITE_OPEN_READWRITE, options)
        // SQLite is content with a file it may only read.
        guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
            throw StoreError(.readOnly, "\(path) may not be written by the user this broker runs as")
        }
        try connection.refuseForeignFile(path)
        try connection.enterWriteAheadLogging(path, within: options.busyTimeout)
        try connection.once("PRAGMA synchronous = \(options.synchronous.rawValue)")
        try connection.once("PRAGMA foreign_keys = ON")
        try connection.once("PRAGMA journal_size_limit = \(Int64(options.restartPages) * 4096)")
        try connection.once("PRAGMA cache_size = -16384")
        return connection
    }

    /// A connection that can only read.
    static func reader(_ path: String, _ options: SQLiteOptions) throws(StoreError) -> SQLiteConnection {
        let connection = try open(path, SQLITE_OPEN_READONLY, options)
        try connection.once("PRAGMA query_only = ON")
        try connection.once("PRAGMA cache_size = -4096")
        return connection
    }

    private static func open(
        _ path: String, _ mode: Int32, _ options: SQLiteOptions
    ) throws(StoreError) -> SQLiteConnection {
        _ = setUp
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let handle else { throw StoreError(.unavailable, "\(path): no memory for a connection") }
        let connection = SQLiteConnection(owning: handle)
        guard code == SQLITE_OK else { throw StoreError(code, of: handle, in: path) }
        sqlite3_busy_timeout(handle, options.busyMilliseconds)
        let switches: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ]
        for (number, isOn) in switches where csqlite_set_switch(handle, number, isOn) != SQLITE_OK {
            throw StoreError(.unavailable, "this SQLite library has no switch \(number)")
        }
        try connection.once("PRAGMA mmap_size = 0")
        try connection.once("PRAGMA cell_size_check = ON")
        try connection.once("PRAGMA temp_store = MEMORY")
        return connection
    }

    /// Creates the file with mode 600, because SQLite would apply only the umask.
    private static func createFile(_ path: String) throws(StoreError) {
        let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        let reason = errno
        if reason == EEXIST {
            var status = stat()
            guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
                throw StoreError(.foreignFile, "\(path) is no file but a folder or a device")
            }
            return
        }
        throw StoreError(.unavailable, "\(path): \(String(cString: strerror(reason)))")
    }

    /// Looks before anything is written: a file of another program stays as it is.
    private func refuseForeignFile(_ path: String) throws(StoreError) {
        let foreign = StoreError(.foreignFile, "\(path) is not a database of the broker; it was not touched")
        do throws(StoreError) {
            // One view of the file: another process may be making the schema at this moment.
            try control(.begin)
            let mark = try once("PRAGMA application_id")
            let version = try once("PRAGMA user_version")
            let objects = try once("SELECT count(*) FROM sqlite_master")
            try control(.commit)
            guard mark != .integer(Self.applicationID) else { return }
            guard mark == .integer(0), version == .integer(0), objects == .integer(0) else { throw foreign }
        } catch {
            throw error.kind == .foreignFile ? foreign : error
        }
    }

    /// SQLite does not wait for this lock itself, so two first starts at once need a little patience.
    private func enterWriteAheadLogging(_ path: String, within timeout: Duration) throws(StoreError) {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            let mode: SQLValue?
            do {
                mode = try once("PRAGMA journal_mode = WAL")
            } catch {
                guard error.kind == .busy, ContinuousClock.now < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.002)
                continue
            }
            guard mode != .text("wal") else { return }
            throw StoreError(.unavailable, "\(path): this file system cannot hold a write-ahead log")
        }
    }
}

extension StoreError {
    /// The same for the operator: about which file, as SQLite does not name it, and what helps.
    func opening(_ path: String) -> StoreError {
        guard !reason.contains(path) else { return self }
        guard kind == .corrupt else { return StoreError(kind, "\(path): \(reason)") }
        return StoreError(.corrupt, "\(path) is damaged; restore a backup (\(reason))")
    }
}
