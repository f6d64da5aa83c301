import StoreSchema
import StrictJSON

/// The primary key of a row of some table, with a spelling that triggers can write as well.
struct RowKey: Sendable, Hashable {
    let table: TableDefinition
    let values: [SQLValue]

    init(table: TableDefinition, values: [SQLValue]) {
        self.table = table
        self.values = values
    }

    /// Takes a key over from the answer of a statement that names the key's columns.
    init(reading row: inout Row, of table: TableDefinition) throws(StoreError) {
        self.init(table: table, values: try row.values())
    }

    /// Numbers in digits, text and bytes in hexadecimal as SQLite's `hex` writes it, separated by dots.
    var text: String {
        values.map { value in
            switch value {
            case .integer(let number): String(number)
            case .text(let text): Hexadecimal.encode(text.utf8, isUppercase: true)
            case .blob(let bytes): Hexadecimal.encode(bytes, isUppercase: true)
            case .null: ""
            }
        }.joined(separator: ".")
    }

    /// Reads what ``text`` or a trigger wrote.
    ///
    /// - Throws: `.corrupt` for anything else.
    init(_ text: String, of table: TableDefinition) throws(StoreError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let unreadable = StoreError(.corrupt, "\(table.name): a row's key cannot be read")
        guard parts.count == table.key.count else { throw unreadable }
        var values: [SQLValue] = []
        for (part, column) in zip(parts, table.key) {
            guard let value = Self.value(part, column.type) else { throw unreadable }
            values.append(value)
        }
        self.init(table: table, values: values)
    }

    private static func value(_ text: Substring, _ type: ColumnType) -> SQLValue? {
        switch type {
        case .integer: Int64(text).map(SQLValue.integer)
        case .blob: Hexadecimal.decode(text.utf8).map(SQLValue.blob)
        case .text: Hexadecimal.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }.map(SQLValue.text)
        }
    }
}
