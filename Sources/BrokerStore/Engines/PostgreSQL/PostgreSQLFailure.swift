import CPostgres

/// The failure of a statement, by the required reaction.
enum PostgreSQLFailure: Error {
    /// Another transaction was in the way and this one was undone: it may run again on the same connection.
    case conflict(StoreError)
    /// Nothing was committed, and the connection is broken: the transaction may be repeated on another one.
    case lost(StoreError)
    /// Running it again would come to the same.
    case refused(StoreError)

    var error: StoreError {
        switch self {
        case .conflict(let error), .lost(let error), .refused(let error): error
        }
    }

    /// The failure of the error in `result`, before a commit.
    init(_ result: OpaquePointer, of connection: OpaquePointer, in name: String) {
        let message = cpostgres_message(result).map { String(cString: $0) }
        // A server that ends the connection with its answer is as good as gone, whatever it gives for a reason.
        let isLast = cpostgres_severity(result).map { ["FATAL", "PANIC"].contains(String(cString: $0)) } ?? true
        guard !isLast, let field = cpostgres_sqlstate(result), PQstatus(connection) == CONNECTION_OK else {
            self = .lost(StoreError(.unavailable, "\(name): \(message ?? Self.lastMessage(of: connection))"))
            return
        }
        let constraint = cpostgres_constraint(result).map { String(cString: $0) }
        self.init(sqlState: String(cString: field), of: constraint, message ?? "no reason was given", in: name)
    }

    /// The error kind of a SQLSTATE (PostgreSQL manual, appendix A).
    init(sqlState: String, of constraint: String? = nil, _ message: String, in name: String) {
        func error(_ kind: StoreError.Kind) -> StoreError { StoreError(kind, "\(name): \(message) (\(sqlState))") }
        switch sqlState {
        case "40001", "40P01": self = .conflict(error(.busy))
        // Serializable transactions may meet each other at a unique index instead of at a conflict (manual, 13.5).
        case "23505": self = .conflict(error(constraint?.hasSuffix("_pkey") == true ? .rowKeyTaken : .constraint))
        // The plan was made for a table that has changed since: another connection prepares it anew.
        case "0A000": self = .lost(error(.unavailable))
        // A primary that became a standby, unless the transaction itself wanted to read only.
        case "25006": self = .lost(error(.readOnly))
        case "57014", "55P03", "55006": self = .refused(error(.busy))
        // Rights are the operator's to give.
        case "42501": self = .refused(error(.unavailable))
        case "53100": self = .refused(error(.diskFull))
        case "26000":
            let reason = "\(name): the server forgot a prepared statement; a pooler in between must pool sessions"
            self = .refused(StoreError(.misuse, reason))
        default: self.init(sqlClass: sqlState.prefix(2), error)
        }
    }

    private init(sqlClass: Substring, _ error: (StoreError.Kind) -> StoreError) {
        self =
            switch sqlClass {
            case "08", "57", "58": .lost(error(.unavailable))
            case "53": .refused(error(.unavailable))
            case "23": .refused(error(.constraint))
            case "28", "3D", "3F": .refused(error(.unavailable))
            case "XX": .refused(error(.corrupt))
            default: .refused(error(.misuse))
            }
    }

    /// libpq's own message in one line.
    static func lastMessage(of connection: OpaquePointer) -> String {
        let text = String(cString: PQerrorMessage(connection))
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}
