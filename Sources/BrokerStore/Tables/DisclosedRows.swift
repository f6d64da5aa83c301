import Foundation
import StoreSchema
package import StrictJSON

/// The rows of a table that the export of a user's data has, made from what is declared (``Disclosure``).
package struct DisclosedRows: Sendable {
    /// The name of the rows in the export.
    package let name: String
    /// The disclosed columns that have a value, newest row first: times as ISO 8601, documents as what they are.
    package let rows: [JSONObject]
    /// Whether there are older rows, which are left out.
    package let isTruncated: Bool
    /// Whether it is the one row of the user.
    package let isOfUser: Bool

    /// A table in the export, for the description of it.
    package struct Description: Sendable {
        package let name, text: String
        /// Whether it is the one row of the user.
        package let isOfUser: Bool
    }

    package static let descriptions = Disclosure.all.map {
        Description(name: $0.name, text: $0.text, isOfUser: $0.isOfUser)
    }
}

enum DisclosureStatements {
    /// Reads the rows of user `$1`, at most `$2`.
    static let all: [Statement] = Disclosure.all.map { disclosure in
        let table = disclosure.table
        let columns = disclosure.columns.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
        let order = table.key.map { "\(table.name).\($0.name) DESC" }.joined(separator: ", ")
        return Statement(
            "disclosed_rows_of_\(table.name)",
            "SELECT \(columns) FROM \(rows(of: table)) ORDER BY \(order) LIMIT $2", .integer, .integer)
    }

    private static func rows(of table: TableDefinition) -> String {
        let name = table.name
        switch table.ownership.owner {
        case .own: return "\(name) WHERE \(name).key = $1"
        case .user(let owner): return "\(name) WHERE \(name).\(owner) = $1"
        case .identity(let owner):
            return "identities JOIN \(name) ON \(name).\(owner) = identities.key WHERE identities.user_key = $1"
        case .subject:
            return """
                identities JOIN \(name) ON \(name).provider = identities.provider AND \(name).issuer = identities.issuer
                AND \(name).subject = identities.subject WHERE identities.user_key = $1
                """
        case .localID(let owner): return "users JOIN \(name) ON \(name).\(owner) = users.local_id WHERE users.key = $1"
        case .noUser: return "\(name) WHERE 1 = 0 AND $1 = $1"
        }
    }
}

extension Transaction {
    /// What the export of a user's data has, table by table.
    ///
    /// - Parameters:
    ///   - userKey: The user.
    ///   - limit: The maximum number of rows of a table.
    /// - Returns: An element for each of ``DisclosedRows/descriptions``.
    /// - Throws: ``StoreError``.
    package func disclosedRows(of userKey: Int64, limit: Int) throws(StoreError) -> [DisclosedRows] {
        var found: [DisclosedRows] = []
        for (disclosure, statement) in zip(Disclosure.all, DisclosureStatements.all) {
            let read = try rows(statement, .integer(userKey), .limit(limit + 1)) { row throws(StoreError) in
                disclosure.members(try row.values())
            }
            found.append(
                DisclosedRows(
                    name: disclosure.name, rows: Array(read.prefix(limit)), isTruncated: read.count > limit,
                    isOfUser: disclosure.isOfUser))
        }
        return found
    }
}

extension Disclosure {
    fileprivate var isOfUser: Bool { table.ownership.owner == .own }

    /// A row as JSON.
    fileprivate func members(_ values: [SQLValue]) -> JSONObject {
        var object = JSONObject()
        for (column, value) in zip(columns, values) {
            object[ColumnDefinition.camelCase(column.name)] =
                switch value {
                case .integer(let number) where column.isTime:
                    .string(Timestamp(milliseconds: number).date.formatted(.iso8601))
                case .integer(let number): column.isFlag ? .bool(number != 0) : .integer(number)
                case .text(let text) where documents.contains(column.name):
                    (try? JSONValue(parsing: text.utf8, limits: .stored)) ?? .string(text)
                case .text(let text): .string(text)
                // No bytes are disclosed.
                case .blob, .null: nil
                }
        }
        return object
    }
}
