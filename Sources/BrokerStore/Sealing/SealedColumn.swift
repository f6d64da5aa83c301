import Foundation
import StoreSchema

/// A column of sealed values: the purpose of their key and the name that binds each to its row, so that any of them can
/// be verified, and sealed again under another master key, without the code that wrote it.
package struct SealedColumn: Sendable, Hashable {
    /// Has a column `key`.
    package let table: String
    package let column: String
    /// The raw value of the purpose its key is derived for.
    package let purpose: String
    let name: [SealDefinition.NamePart]
    let page: Statement
    let pageUnderOtherKeys: Statement
    let counts: Statement
    let replace: Statement

    /// - Parameters:
    ///   - table: The table.
    ///   - column: Its column of sealed values; null where a row has none.
    ///   - seal: How they are sealed.
    init(_ table: String, _ column: String, _ seal: SealDefinition) {
        self.table = table
        self.column = column
        purpose = seal.purpose
        name = seal.name
        let (name, join) = (seal.name, seal.join)
        let (key, value, id) = ("\(table).key", "\(table).\(column)", "\(table)_\(column)")
        let columns = ([key, value] + name.compactMap { $0.column(of: table) }).joined(separator: ", ")
        let rows = "SELECT \(columns) FROM \(table) \(join) WHERE \(value) IS NOT NULL AND \(key) > $1"
        page = Statement("sealed_\(id)", "\(rows) ORDER BY \(key) LIMIT $2", .integer, .integer)
        pageUnderOtherKeys = Statement(
            "sealed_\(id)_under_other_keys", "\(rows) AND \(Self.keyID(value)) <> $3 ORDER BY \(key) LIMIT $2",
            .integer, .integer, .blob)
        counts = Statement(
            "sealed_\(id)_counts",
            "SELECT \(Self.keyID(value)), count(*) FROM \(table) WHERE \(value) IS NOT NULL GROUP BY 1 ORDER BY 1")
        replace = Statement(
            "reseal_\(id)", "UPDATE \(table) SET \(column) = $3 WHERE key = $1 AND \(column) = $2",
            .integer, .blob, .blob)
    }

    /// Every column of sealed values, as the tables declare them: a rotation of the master key and `broker vault verify`
    /// know no others.
    package static let all: [SealedColumn] = TableDefinition.all.flatMap { table in
        table.columns.compactMap { column in column.seal.map { SealedColumn(table.name, column.name, $0) } }
    }

    /// The statements of all columns.
    static let statements: [Statement] = all.flatMap { [$0.page, $0.pageUnderOtherKeys, $0.counts, $0.replace] }

    /// The id of the key in a value's header: the four bytes after the version.
    private static func keyID(_ value: String) -> String { "substr(\(value), 2, 4)" }
}

extension SealDefinition.NamePart {
    /// The column to read for it; nil for a literal.
    fileprivate func column(of table: String) -> String? {
        switch self {
        case .literal: nil
        case .text(let column), .integer(let column), .base64URL(let column):
            column.contains(".") ? column : "\(table).\(column)"
        }
    }

    /// The part as text; `row` stands at its column.
    fileprivate func text(from row: inout Row) throws(StoreError) -> String {
        switch self {
        case .literal(let text): return text
        case .text: return try row.optionalText() ?? ""
        case .integer: return String(try row.integer())
        case .base64URL:
            return Data(try row.optionalBlob() ?? []).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
    }
}

/// A sealed value with the name of its row.
package struct SealedValue: Sendable, Hashable {
    /// The private key of the row.
    package let key: Int64
    package let bytes: [UInt8]
    /// The associated data of the value.
    package let row: [String]

    fileprivate init(reading row: inout Row, _ column: SealedColumn) throws(StoreError) {
        key = try row.integer()
        bytes = try row.blob()
        var name: [String] = []
        for part in column.name { name.append(try part.text(from: &row)) }
        self.row = name
    }
}

extension Transaction {
    /// The next sealed values of a column, in the order of their rows' keys.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - key: The last row's key so far; 0 at the start.
    ///   - limit: The maximum number of values.
    ///   - keyID: Leaves out the values under the master key with these four bytes.
    /// - Returns: The values; fewer than `limit` at the end.
    /// - Throws: ``StoreError``.
    package func sealedValues(
        of column: SealedColumn, after key: Int64, limit: Int, notUnder keyID: [UInt8]? = nil
    ) throws(StoreError) -> [SealedValue] {
        let (statement, values): (Statement, [SQLValue]) =
            keyID.map { (column.pageUnderOtherKeys, [.integer(key), .limit(limit), .blob($0)]) }
            ?? (column.page, [.integer(key), .limit(limit)])
        return try rows(statement, values: values) { row throws(StoreError) in try SealedValue(reading: &row, column) }
    }

    /// Puts a value that was sealed again in place of the earlier one.
    ///
    /// - Returns: false if the row has gone or was written meanwhile; it stays as it is.
    @discardableResult
    package func replace(
        _ value: SealedValue, in column: SealedColumn, with sealed: [UInt8]
    ) throws(StoreError) -> Bool {
        try run(column.replace, .integer(value.key), .blob(value.bytes), .blob(sealed)) > 0
    }

    /// The number of values of a column under each master key, by the key's four bytes.
    package func sealedCounts(of column: SealedColumn) throws(StoreError) -> [(keyID: [UInt8], rows: Int64)] {
        try rows(column.counts) { row throws(StoreError) in (try row.blob(), try row.integer()) }
    }
}
