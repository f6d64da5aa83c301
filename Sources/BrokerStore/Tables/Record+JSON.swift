import Foundation
import StoreSchema
package import StrictJSON

/// A record as JSON, from its declared columns: what a snapshot keeps of it.
extension Record {
    /// A member for each column that has a value.
    package var json: JSONObject {
        var object = JSONObject()
        for (column, value) in zip(Self.table.recordColumns, values) {
            object[column.member] =
                switch value {
                case .integer(let number): column.isFlag ? .bool(number != 0) : .integer(number)
                case .text(let text): .string(text)
                case .blob(let bytes): .string(Data(bytes).base64EncodedString())
                case .null: nil
                }
        }
        return object
    }

    /// Reads what ``json`` wrote, also before a column was added; nil where a value that cannot be null is absent, or one
    /// has another type.
    ///
    /// - Parameters:
    ///   - json: The members. A flag that is absent is false, another value is null.
    ///   - columns: Values of columns, in place of those in `json`.
    package init?(json: JSONObject, columns: [String: Int64] = [:]) {
        var values: [SQLValue] = []
        for column in Self.table.recordColumns {
            guard let value = columns[column.name].map(SQLValue.integer) ?? column.value(of: json[column.member]) else {
                return nil
            }
            values.append(value)
        }
        var row = Row(values, of: Self.table.name)
        guard let record = try? Self(reading: &row) else { return nil }
        self = record
    }
}

extension ColumnDefinition {
    /// The value of a member of a record in JSON; nil where it is of another type.
    fileprivate func value(of json: JSONValue?) -> SQLValue? {
        guard let json else { return isFlag ? .flag(false) : .null(type) }
        return switch type {
        case .integer: isFlag ? json.bool.map(SQLValue.flag) : json.integer.map(SQLValue.integer)
        case .text: json.string.map(SQLValue.text)
        case .blob: json.string.flatMap { Data(base64Encoded: $0) }.map { .blob([UInt8]($0)) }
        }
    }
}
