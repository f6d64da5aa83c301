import CSQLite

extension StoreError {
    /// The store error of SQLite's result `code`, just returned on `connection`.
    init(_ code: Int32, of connection: OpaquePointer, in name: String) {
        self.init(Kind(sqlite: code), "\(name): \(String(cString: sqlite3_errmsg(connection)))")
    }
}

extension StoreError.Kind {
    /// The error of a trigger's RAISE; only a store that was moved to another database has such triggers.
    private static let raised = SQLITE_CONSTRAINT | (7 << 8)

    /// SQLITE_CONSTRAINT_PRIMARYKEY.
    private static let keyTaken = SQLITE_CONSTRAINT | (6 << 8)

    /// The store error of SQLite's primary or extended result `code`.
    init(sqlite code: Int32) {
        guard code != Self.raised else {
            self = .moved
            return
        }
        guard code != Self.keyTaken else {
            self = .rowKeyTaken
            return
        }
        self =
            switch code & 0xff {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .foreignFile
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY: .readOnly
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM, SQLITE_NOLFS,
                SQLITE_INTERRUPT, SQLITE_ABORT:
                .unavailable
            default: .misuse
            }
    }
}
