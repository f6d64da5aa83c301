import CSQLite

/// The rows of `transfers` as a connection read them last, for the guard of every transaction (``Store``).
///
/// They hold for one version of the file's data, which SQLite counts for each connection: it changes with each commit
/// of this connection, and when a transaction of it begins after a commit of another connection or process.
struct KnownTransfers {
    private let handle: OpaquePointer
    private var known: (version: UInt32, rows: [Transfer])?
    /// Whether the present transaction wrote to `transfers`: what it reads there may be rolled back.
    private var areChanging = false

    init(of handle: OpaquePointer) {
        self.handle = handle
    }

    /// The rows, if they are known to be those of the present transaction.
    var rows: [Transfer]? {
        // A transaction that has read nothing has no view of the file yet, and the version is that of the last one.
        guard let known, !areChanging, sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE, known.version == version
        else { return nil }
        return known.rows
    }

    /// To be called with the rows that the present transaction just read.
    mutating func learn(_ rows: [Transfer]) {
        if !areChanging { known = (version, rows) }
    }

    /// To be called before the present transaction writes to the table.
    mutating func change() {
        areChanging = true
    }

    /// To be called instead of just `commit`: a commit of this connection that left the table alone changes the version
    /// and not the rows.
    mutating func keep(across commit: () throws(StoreError) -> Void) throws(StoreError) {
        let rows = rows
        known = nil
        try commit()
        known = rows.map { (version, $0) }
    }

    /// To be called when a transaction begins.
    mutating func begin() {
        areChanging = false
    }

    private var version: UInt32 {
        var version: UInt32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }
}
