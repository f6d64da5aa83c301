package import StoreSchema

/// A value on its way into or out of the database. A null keeps its type, for PostgreSQL wants to know it.
package enum SQLValue: Sendable, Hashable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null(ColumnType)

    /// The type of the column this value fits.
    package var type: ColumnType {
        switch self {
        case .integer: .integer
        case .text: .text
        case .blob: .blob
        case .null(let type): type
        }
    }
}

extension SQLValue {
    package static func integer(orNull value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null(.integer) }
    package static func text(orNull value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null(.text) }
    package static func blob(orNull value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null(.blob) }
    package static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    package static func time(_ value: Timestamp) -> SQLValue { .integer(value.milliseconds) }
    package static func time(orNull value: Timestamp?) -> SQLValue { .integer(orNull: value?.milliseconds) }
    package static func words(_ values: [String]) -> SQLValue { .text(values.joined(separator: " ")) }
    package static func limit(_ value: Int) -> SQLValue { .integer(Int64(max(value, 0))) }
}
