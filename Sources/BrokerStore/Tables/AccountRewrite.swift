import StoreSchema

/// What happens to the rows of a user when a merge, its undo or a replaced identity rewrites the account: made from what
/// each table declares (``Ownership``). A table that is declared takes part without further code.
enum AccountRewrite {
    /// Gives all rows of user `$1` to user `$2`, in each table that a merge moves. Rows of identities stay with theirs.
    static let merge: [Statement] = owned(byUser: true) { $0.ownership.merge == .move }.map { table, owner in
        move("move_rows_of_\(table.name)", table, owner)
    }

    /// Gives all rows of identity `$1` to identity `$2`, which takes its place.
    static let replacement: [Statement] = owned(byUser: false) { $0.ownership.merge == .move }.map { table, owner in
        move("move_identity_rows_of_\(table.name)", table, owner)
    }

    /// A table with rows that an undo returns, one by one, by a column that names them.
    struct Returned: Sendable {
        let table: TableDefinition
        let nameType: ColumnType
        /// The names of the rows of user `$1`, in the order of their keys.
        let names: Statement
        /// Gives the row `$3` of user `$1` to user `$2`.
        let move: Statement
    }

    // The plan of an undo decides about each identity.
    static let returned: [Returned] = owned(byUser: true) {
        $0.ownership.undo == .move && $0.ownership.snapshot == .keep && $0 != .identities
    }.map { table, owner in
        let name = table.uniques.map(\.columns).first { $0.count == 1 }?[0] ?? table.key[0].name
        let type = table.columns[table.position(of: name) ?? 0].type
        return Returned(
            table: table, nameType: type,
            names: Statement(
                "names_of_rows_of_\(table.name)",
                "SELECT \(name) FROM \(table.name) WHERE \(owner) = $1 ORDER BY \(TableDefinition.list(table.key))",
                .integer),
            move: Statement(
                "return_row_of_\(table.name)",
                "UPDATE \(table.name) SET \(owner) = $2 WHERE \(name) = $3 AND \(owner) = $1", .integer, .integer, type)
        )
    }

    static let all: [Statement] = merge + replacement + returned.flatMap { [$0.names, $0.move] }

    private static func move(_ name: String, _ table: TableDefinition, _ owner: String) -> Statement {
        Statement(name, "UPDATE \(table.name) SET \(owner) = $2 WHERE \(owner) = $1", .integer, .integer)
    }

    private static func owned(
        byUser isByUser: Bool, _ isIncluded: (TableDefinition) -> Bool
    ) -> [(table: TableDefinition, owner: String)] {
        TableDefinition.all.filter(isIncluded).compactMap { table in
            switch table.ownership.owner {
            case .user(let owner) where isByUser: (table, owner)
            case .identity(let owner) where !isByUser: (table, owner)
            default: nil
            }
        }
    }
}

/// The names of rows of one user, by table, for a snapshot from which they can be returned.
package typealias AccountRowNames = [String: [String]]

extension Transaction {
    /// Gives the rows of one user to another, in each table that a merge moves. The two have no provider in common, which
    /// is for the caller to make sure of in the same transaction.
    package func moveRows(from userKey: Int64, to survivor: Int64) throws(StoreError) {
        for statement in AccountRewrite.merge { try run(statement, .integer(userKey), .integer(survivor)) }
        noteTextChange(of: userKey)
        noteTextChange(of: survivor)
    }

    /// Gives the rows of one identity to another, in each table that a merge moves. The others go with the identity.
    package func moveRows(ofIdentity replaced: Int64, to heir: Int64) throws(StoreError) {
        for statement in AccountRewrite.replacement { try run(statement, .integer(replaced), .integer(heir)) }
        for key in [replaced, heir] { noteTextChange(ofOwner: try identity(key: key)?.userKey) }
    }

    /// The names of a user's rows that the undo of a merge returns.
    package func rowNames(of userKey: Int64) throws(StoreError) -> AccountRowNames {
        var names: AccountRowNames = [:]
        for returned in AccountRewrite.returned {
            names[returned.table.name] = try rows(returned.names, .integer(userKey)) { row throws(StoreError) in
                returned.nameType == .text ? try row.text() : String(try row.integer())
            }
        }
        return names
    }

    /// Gives rows back to a user whose merge is undone: those that the remaining user still has.
    ///
    /// - Parameters:
    ///   - names: What ``rowNames(of:)`` told before the merge.
    ///   - survivor: The user who has them.
    ///   - userKey: The restored user.
    /// - Throws: ``StoreError``.
    package func returnRows(_ names: AccountRowNames, from survivor: Int64, to userKey: Int64) throws(StoreError) {
        for returned in AccountRewrite.returned {
            for name in names[returned.table.name] ?? [] {
                let value =
                    returned.nameType == .text ? SQLValue.text(name) : Int64(name).map(SQLValue.integer)
                guard let value else { continue }
                try run(returned.move, .integer(survivor), .integer(userKey), value)
            }
        }
        noteTextChange(of: survivor)
        noteTextChange(of: userKey)
    }
}
