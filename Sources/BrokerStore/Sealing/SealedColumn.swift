import Foundation

/// A column of sealed values: the purpose of their key and the name that binds each to its row, so that any of them can
/// be verified, and sealed again under another master key, without the code that wrote it.
package struct SealedColumn: Sendable, Hashable {
    /// A part of a row's name, as it is authenticated with the value.
    package enum NamePart: Sendable, Hashable {
        case literal(String)
        /// A column of text, qualified by its table where that is another one.
        case text(String)
        /// A column of integers, in decimal digits.
        case integer(String)
        /// A column of bytes, as base64url without padding.
        case base64URL(String)
    }

    /// Has a column `key`.
    package let table: String
    package let column: String
    /// The raw value of the purpose its key is derived for.
    package let purpose: String
    let name: [NamePart]
    let page: Statement
    let pageUnderOtherKeys: Statement
    let counts: Statement
    let replace: Statement

    /// - Parameters:
    ///   - table: The table.
    ///   - column: Its column of sealed values; null where a row has none.
    ///   - purpose: The raw value of the purpose its key is derived for.
    ///   - name: The name of a row, part by part.
    ///   - join: The `JOIN` of the table that other parts of the name stand in.
    init(_ table: String, _ column: String, purpose: String, name: [NamePart], join: String = "") {
        self.table = table
        self.column = column
        self.purpose = purpose
        self.name = name
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
            "reseal_\(id)", "UPDATE \(table) SET \(column) = $3 WHERE key = $1 AND \(column) = $2 RETURNING key",
            .integer, .blob, .blob)
    }

    var statements: [Statement] { [page, pageUnderOtherKeys, counts, replace] }

    /// The id of the key in a value's header: the four bytes after the version.
    private static func keyID(_ value: String) -> String { "substr(\(value), 2, 4)" }
}

extension SealedColumn.NamePart {
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

    fileprivate init(_ row: Row, _ column: SealedColumn) throws(StoreError) {
        var row = row
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
        let rows =
            if let keyID {
                try run(column.pageUnderOtherKeys, .integer(key), .limit(limit), .blob(keyID))
            } else {
                try run(column.page, .integer(key), .limit(limit))
            }
        return try rows.map { row throws(StoreError) in try SealedValue(row, column) }
    }

    /// Puts a value that was sealed again in place of the earlier one.
    ///
    /// - Returns: false if the row has gone or was written meanwhile; it stays as it is.
    @discardableResult
    package func replace(
        _ value: SealedValue, in column: SealedColumn, with sealed: [UInt8]
    ) throws(StoreError) -> Bool {
        try !run(column.replace, .integer(value.key), .blob(value.bytes), .blob(sealed)).isEmpty
    }

    /// The number of values of a column under each master key, by the key's four bytes.
    package func sealedCounts(of column: SealedColumn) throws(StoreError) -> [(keyID: [UInt8], rows: Int64)] {
        try run(column.counts).map { row throws(StoreError) in
            var row = row
            return (try row.blob(), try row.integer())
        }
    }
}
