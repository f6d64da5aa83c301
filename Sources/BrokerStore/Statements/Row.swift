import StoreSchema

/// One row of an answer, while it is read. Its columns are read from left to right, each as the type the caller expects,
/// straight from the engine's memory: a row is valid only in the closure that gets it.
package struct Row: ~Copyable {
    enum Source {
        case sqlite(SQLiteStatement)
        case postgreSQL(PostgreSQLResult, row: Int32, of: String)
        case values([SQLValue], of: String)
    }

    private let source: Source
    private var position: Int32 = 0

    init(_ source: Source) {
        self.source = source
    }

    /// A row whose values were read before.
    init(_ values: [SQLValue], of statement: String) {
        self.init(.values(values, of: statement))
    }

    /// Whether there are columns that were not read yet.
    var hasMore: Bool { position < width }

    /// Passes over columns.
    mutating func skip(_ count: Int) {
        position += Int32(count)
    }

    mutating func integer() throws(StoreError) -> Int64 {
        guard let value = try optionalInteger() else { throw unexpected("null") }
        return value
    }

    mutating func text() throws(StoreError) -> String {
        guard let value = try optionalText() else { throw unexpected("null") }
        return value
    }

    mutating func blob() throws(StoreError) -> [UInt8] {
        guard let value = try optionalBlob() else { throw unexpected("null") }
        return value
    }

    mutating func flag() throws(StoreError) -> Bool { try integer() != 0 }

    mutating func time() throws(StoreError) -> Timestamp { Timestamp(milliseconds: try integer()) }

    mutating func optionalTime() throws(StoreError) -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }

    mutating func optionalInteger() throws(StoreError) -> Int64? {
        let column = try next()
        switch source {
        case .sqlite(let statement): return try statement.integer(at: column)
        case .postgreSQL(let result, let row, let name): return try result.integer(row, column, of: name)
        case .values(let values, _):
            switch values[Int(column)] {
            case .integer(let value): return value
            case .null: return nil
            case let other: throw unexpected("\(other.type)")
            }
        }
    }

    mutating func optionalText() throws(StoreError) -> String? {
        let column = try next()
        switch source {
        case .sqlite(let statement): return try statement.text(at: column)
        case .postgreSQL(let result, let row, let name): return try result.text(row, column, of: name)
        case .values(let values, _):
            switch values[Int(column)] {
            case .text(let value): return value
            case .null: return nil
            case let other: throw unexpected("\(other.type)")
            }
        }
    }

    mutating func optionalBlob() throws(StoreError) -> [UInt8]? {
        let column = try next()
        switch source {
        case .sqlite(let statement): return try statement.blob(at: column)
        case .postgreSQL(let result, let row, let name): return try result.blob(row, column, of: name)
        case .values(let values, _):
            switch values[Int(column)] {
            case .blob(let value): return value
            case .null: return nil
            case let other: throw unexpected("\(other.type)")
            }
        }
    }

    /// A list of texts without spaces, from one text.
    mutating func words() throws(StoreError) -> [String] {
        try text().split(separator: " ").map(String.init)
    }

    /// A text that is the raw value of `Value`; anything else in the column is corruption.
    mutating func choice<Value: RawRepresentable<String>>(_ type: Value.Type) throws(StoreError) -> Value {
        guard let value = try optionalChoice(type) else { throw unexpected("null") }
        return value
    }

    mutating func optionalChoice<Value: RawRepresentable<String>>(_: Value.Type) throws(StoreError) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let value = Value(rawValue: text) else {
            throw StoreError(.corrupt, "\(statement): column \(position) holds none of the values it may hold")
        }
        return value
    }

    /// The remaining columns, for those who do not care what they mean. Nulls have no type of their own.
    mutating func values() throws(StoreError) -> [SQLValue] {
        var values: [SQLValue] = []
        values.reserveCapacity(Int(width - position))
        while position < width {
            let column = try next()
            switch source {
            case .sqlite(let statement): values.append(try statement.value(at: column))
            case .postgreSQL(let result, let row, let name):
                values.append(try result.value(row, column, of: name))
            case .values(let known, _): values.append(known[Int(column)])
            }
        }
        return values
    }

    private var width: Int32 {
        switch source {
        case .sqlite(let statement): statement.width
        case .postgreSQL(let result, _, _): result.width
        case .values(let values, _): Int32(values.count)
        }
    }

    /// The name of the statement, for errors.
    private var statement: String {
        switch source {
        case .sqlite(let statement): statement.name
        case .postgreSQL(_, _, let name), .values(_, let name): name
        }
    }

    private mutating func next() throws(StoreError) -> Int32 {
        guard position < width else {
            throw StoreError(.misuse, "\(statement) answers with \(width) columns, and one more was asked for")
        }
        defer { position += 1 }
        return position
    }

    private func unexpected(_ found: String) -> StoreError {
        StoreError(.corrupt, "\(statement): column \(position) is \(found)")
    }
}
