import CPostgres

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

    /// The rows, sent in binary.
    func rows(of name: String) throws(StoreError) -> [Row] {
        let width = PQnfields(handle)
        var rows: [Row] = []
        for row in 0..<PQntuples(handle) {
            var values: [SQLValue] = []
            values.reserveCapacity(Int(width))
            for column in 0..<width { values.append(try value(row, column, of: name)) }
            rows.append(Row(values, of: name))
        }
        return rows
    }

    private func value(_ row: Int32, _ column: Int32, of name: String) throws(StoreError) -> SQLValue {
        guard PQgetisnull(handle, row, column) == 0 else { return .null(.integer) }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
        switch PQftype(handle, column) {
        case Self.bigint where bytes.count == 8:
            return .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case Self.integer where bytes.count == 4:
            return .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case Self.bytea: return .blob([UInt8](bytes))
        case Self.text:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw StoreError(.corrupt, "\(name): column \(column + 1) is not UTF-8")
            }
            return .text(text)
        case let type: throw StoreError(.corrupt, "\(name): column \(column + 1) is of type \(type)")
        }
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
