/// One row of a result. Its columns are read from left to right, each as the type the caller expects.
package struct Row: Sendable, Hashable {
    /// Every column from left to right, for those who do not care what they mean.
    let values: [SQLValue]
    private let statement: String
    private var position = 0

    init(_ values: [SQLValue], of statement: String) {
        self.values = values
        self.statement = statement
    }

    mutating func integer() throws(StoreError) -> Int64 {
        guard let value = try optionalInteger() else { throw unexpected(.null(.integer)) }
        return value
    }

    mutating func text() throws(StoreError) -> String {
        guard let value = try optionalText() else { throw unexpected(.null(.text)) }
        return value
    }

    mutating func blob() throws(StoreError) -> [UInt8] {
        guard let value = try optionalBlob() else { throw unexpected(.null(.blob)) }
        return value
    }

    mutating func flag() throws(StoreError) -> Bool { try integer() != 0 }

    mutating func time() throws(StoreError) -> Timestamp { Timestamp(milliseconds: try integer()) }

    mutating func optionalTime() throws(StoreError) -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }

    mutating func optionalInteger() throws(StoreError) -> Int64? {
        switch try next() {
        case .integer(let value): return value
        case .null: return nil
        case let other: throw unexpected(other)
        }
    }

    mutating func optionalText() throws(StoreError) -> String? {
        switch try next() {
        case .text(let value): return value
        case .null: return nil
        case let other: throw unexpected(other)
        }
    }

    mutating func optionalBlob() throws(StoreError) -> [UInt8]? {
        switch try next() {
        case .blob(let value): return value
        case .null: return nil
        case let other: throw unexpected(other)
        }
    }

    /// A text that is the raw value of `Value`; anything else in the column is corruption.
    mutating func choice<Value: RawRepresentable<String>>(_: Value.Type) throws(StoreError) -> Value {
        guard let value = Value(rawValue: try text()) else {
            throw StoreError(.corrupt, "\(statement): column \(position) holds none of the values it may hold")
        }
        return value
    }

    private mutating func next() throws(StoreError) -> SQLValue {
        guard position < values.count else {
            throw StoreError(.misuse, "\(statement) answers with \(values.count) columns, and one more was asked for")
        }
        defer { position += 1 }
        return values[position]
    }

    private func unexpected(_ value: SQLValue) -> StoreError {
        let found = if case .null = value { "null" } else { "\(value.type)" }
        return StoreError(.corrupt, "\(statement): column \(position) is \(found)")
    }
}
