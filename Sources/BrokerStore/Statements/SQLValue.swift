/// The three column types both engines know.
package enum ColumnType: Sendable, Hashable {
    /// `bigint`: numbers, moments, 0 and 1 for false and true.
    case integer
    /// `broker_text`: text compared byte by byte.
    case text
    /// `bytea`: bytes.
    case blob
}

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
    static func integer(orNull value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null(.integer) }
    static func text(orNull value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null(.text) }
    static func blob(orNull value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null(.blob) }
    static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    static func time(_ value: Timestamp) -> SQLValue { .integer(value.milliseconds) }
    static func time(orNull value: Timestamp?) -> SQLValue { .integer(orNull: value?.milliseconds) }
    static func limit(_ value: Int) -> SQLValue { .integer(Int64(max(value, 0))) }
}
