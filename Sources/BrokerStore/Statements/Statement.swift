import Foundation
package import StoreSchema
import Synchronization

/// One SQL text of the project, understood by both engines.
///
/// The statements of a table that its declaration or its kind gives are values of this type, and stand in
/// ``StatementCatalogue``. A query that one method runs stands in that method instead: see ``Transaction/run(_:_:_:)``.
package struct Statement: Sendable, Hashable {
    /// Unique within the project; names the prepared statement and appears in errors.
    package let name: String
    package let sql: String
    /// Stands for the name within this process, for those who have a place for each statement.
    let number: Int
    /// The types of `$1`, `$2`, … in this order.
    package let parameters: [ColumnType]

    package init(_ name: String, _ sql: String, _ parameters: ColumnType...) {
        self.init(name, sql, parameters: parameters)
    }

    package init(_ name: String, _ sql: String, parameters: [ColumnType]) {
        self.name = name
        self.sql = sql
        number = Self.number(of: name)
        self.parameters = parameters
    }

    private static let numbers = Mutex<[String: Int]>([:])

    private static func number(of name: String) -> Int {
        numbers.withLock { numbers in
            if let number = numbers[name] { return number }
            defer { numbers[name] = numbers.count }
            return numbers.count
        }
    }

    /// Makes sure that `values` are what the statement declares, and that both engines would take them.
    func check(_ values: [SQLValue]) throws(StoreError) {
        guard values.count == parameters.count else {
            throw StoreError(.misuse, "\(name) takes \(parameters.count) parameters, not \(values.count)")
        }
        for index in values.indices {
            let value = values[index]
            guard value.type == parameters[index] else {
                throw StoreError(.misuse, "\(name): $\(index + 1) is declared \(parameters[index]), not \(value.type)")
            }
            // PostgreSQL has no NUL in text, and SQLite's own functions stop at it.
            if case .text(let text) = value, text.hasNUL {
                throw StoreError(.misuse, "\(name): $\(index + 1) is a text with a NUL in it")
            }
        }
    }
}

/// The statements of the queries that a connection has met in methods, by the address of their names.
struct QueryStatements {
    private var known: [UnsafePointer<UInt8>: Statement] = [:]

    /// The statement of a query; its SQL is made once. The first values decide the types of its parameters.
    mutating func statement(_ name: StaticString, _ sql: () -> String, for values: [SQLValue]) -> Statement {
        if let statement = known[name.utf8Start] { return statement }
        let statement = Statement("\(name)", sql(), parameters: values.map(\.type))
        known[name.utf8Start] = statement
        return statement
    }
}

extension String {
    fileprivate var hasNUL: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}
