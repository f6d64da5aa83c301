/// The primary key of a row of some table, with a spelling that triggers can write as well.
struct RowKey: Sendable, Hashable {
    let table: TableShape
    let values: [SQLValue]

    init(table: TableShape, values: [SQLValue]) {
        self.table = table
        self.values = values
    }

    /// Takes a key over from the answer of a statement that names the key's columns.
    init(_ row: Row, of table: TableShape) {
        self.init(table: table, values: row.values)
    }

    /// Numbers in digits, text and bytes in hexadecimal, separated by dots.
    var text: String {
        values.map { value in
            switch value {
            case .integer(let number): String(number)
            case .text(let text): Self.hexadecimal(text.utf8)
            case .blob(let bytes): Self.hexadecimal(bytes)
            case .null: ""
            }
        }.joined(separator: ".")
    }

    /// Reads what ``text`` or a trigger wrote.
    ///
    /// - Throws: `.corrupt` for anything else.
    init(_ text: String, of table: TableShape) throws(StoreError) {
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
        case .blob: bytes(text).map(SQLValue.blob)
        case .text: bytes(text).flatMap { String(validating: $0, as: UTF8.self) }.map(SQLValue.text)
        }
    }

    /// As SQLite's `hex` writes it.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let known = digits.compactMap(\.self)
        return stride(from: 0, to: known.count, by: 2).map { UInt8(known[$0] << 4 | known[$0 + 1]) }
    }
}
