import CPostgres
import StoreSchema

/// One answer of the server, freed with this object.
final class PostgreSQLResult {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var status: ExecStatusType { PQresultStatus(handle) }
    /// The server's command tag, such as `COMMIT`.
    var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// The first column of the first row, of an answer that was sent as text.
    var firstText: String? {
        guard PQntuples(handle) > 0, PQnfields(handle) > 0 else { return nil }
        return PQgetvalue(handle, 0, 0).map { String(cString: $0) }
    }

    /// The number of columns of a row.
    var width: Int32 { PQnfields(handle) }

    /// Reads the rows, sent in binary, of a statement with this name.
    ///
    /// - Returns: The number of rows that the statement answers with, or has changed where it answers with none.
    func forEachRow(
        of name: String, _ each: (inout Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        let count = PQntuples(handle)
        for number in 0..<count {
            var row = Row(.postgreSQL(self, row: number, of: name))
            try each(&row)
        }
        return width == 0 ? changedRows : Int(count)
    }

    /// The number of rows that an INSERT, an UPDATE or a DELETE has changed.
    private var changedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The value of a column, whatever its type; a null has no type of its own.
    func value(_ row: Int32, _ column: Int32, of name: String) throws(StoreError) -> SQLValue {
        switch PQftype(handle, column) {
        case Self.bigint, Self.integer: .integer(orNull: try integer(row, column, of: name))
        case Self.bytea: .blob(orNull: try blob(row, column, of: name))
        case Self.text: .text(orNull: try text(row, column, of: name))
        default: throw unexpected(column, of: name)
        }
    }

    func integer(_ row: Int32, _ column: Int32, of name: String) throws(StoreError) -> Int64? {
        guard let bytes = bytes(row, column) else { return nil }
        switch PQftype(handle, column) {
        case Self.bigint where bytes.count == 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case Self.integer where bytes.count == 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        default: throw unexpected(column, of: name)
        }
    }

    func text(_ row: Int32, _ column: Int32, of name: String) throws(StoreError) -> String? {
        guard let bytes = bytes(row, column) else { return nil }
        guard PQftype(handle, column) == Self.text else { throw unexpected(column, of: name) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StoreError(.corrupt, "\(name): column \(column + 1) is not UTF-8")
        }
        return text
    }

    func blob(_ row: Int32, _ column: Int32, of name: String) throws(StoreError) -> [UInt8]? {
        guard let bytes = bytes(row, column) else { return nil }
        guard PQftype(handle, column) == Self.bytea else { throw unexpected(column, of: name) }
        return [UInt8](bytes)
    }

    /// Nil for null.
    private func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(handle, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    }

    private func unexpected(_ column: Int32, of name: String) -> StoreError {
        StoreError(.corrupt, "\(name): column \(column + 1) is of type \(PQftype(handle, column))")
    }

    // Numbers of PostgreSQL's types (pg_type.dat); a domain is answered as what it stands for.
    static let bytea: Oid = 17
    static let bigint: Oid = 20
    static let integer: Oid = 23
    static let text: Oid = 25
}

extension ColumnType {
    /// The number of PostgreSQL's type for a parameter.
    var postgreSQLType: Oid {
        switch self {
        case .integer: PostgreSQLResult.bigint
        case .text: PostgreSQLResult.text
        case .blob: PostgreSQLResult.bytea
        }
    }
}
