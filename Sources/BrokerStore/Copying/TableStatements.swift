import StoreSchema

/// The statements that copy one table, made from its shape.
struct TableStatements: Sendable {
    /// The number of rows of ``insertNew``.
    static let batch = 50
    /// True only in a store that is not served yet. A copy never removes rows of a served store.
    private static let onlyWhileFilling = """
        EXISTS (SELECT 1 FROM transfers WHERE transfers.role = 'incoming' AND transfers.phase <> 'complete')
        """

    /// The first rows in key order. `$1`: how many.
    let firstPage: Statement
    /// The rows after a key, then how many.
    let nextPage: Statement
    let byKey: Statement
    let count: Statement
    /// Inserts those of ``batch`` rows that have no conflict and whose parents exist, and returns their keys.
    let insertNew: Statement
    /// Adds or replaces one row if its parents are there.
    let upsert: Statement
    let remove: Statement
    /// Removes the first rows. `$1`: how many.
    let clear: Statement
    /// Makes room for a row, one statement for each of the table's uniquenesses: their columns, then the row's key.
    let releases: [Statement]
    /// The keys of the rows that go with a row, by their table. `$1`: the row's `key`.
    let children: [(table: TableDefinition, statement: Statement)]

    init(_ table: TableDefinition) {
        let (name, columns, key) = (table.name, TableDefinition.list(table.columns), TableDefinition.list(table.key))
        let keyTypes = table.key.map(\.type)
        let tuple = Self.tuple(key, table.key.count)
        let keyParameters = Self.tuple(Self.parameters(keyTypes.count), keyTypes.count)
        firstPage = Statement(
            "copy_first_\(name)", "SELECT \(columns) FROM \(name) ORDER BY \(key) LIMIT $1", parameters: [.integer])
        nextPage = Statement(
            "copy_next_\(name)",
            "SELECT \(columns) FROM \(name) WHERE \(tuple) > \(keyParameters) ORDER BY \(key) "
                + "LIMIT $\(keyTypes.count + 1)", parameters: keyTypes + [.integer])
        byKey = Statement(
            "copy_row_\(name)", "SELECT \(columns) FROM \(name) WHERE \(tuple) = \(keyParameters)",
            parameters: keyTypes)
        count = Statement("copy_count_\(name)", "SELECT count(*) FROM \(name)", parameters: [])
        remove = Statement(
            "copy_remove_\(name)",
            "DELETE FROM \(name) WHERE \(tuple) = \(keyParameters) AND \(Self.onlyWhileFilling)", parameters: keyTypes)
        clear = Statement(
            "copy_clear_\(name)",
            "DELETE FROM \(name) WHERE \(tuple) IN (SELECT \(key) FROM \(name) ORDER BY \(key) LIMIT $1) "
                + "AND \(Self.onlyWhileFilling)", parameters: [.integer])
        insertNew = Self.insertNew(table)
        upsert = Self.upsert(table)
        releases = table.uniques.indices.map { Self.release($0, of: table) }
        children = TableDefinition.all.flatMap { child in
            child.parents.filter { $0.table == name }.map { parent in
                (
                    child,
                    Statement(
                        "copy_children_\(child.name)_by_\(parent.column)",
                        "SELECT \(TableDefinition.list(child.key)) FROM \(child.name) WHERE \(parent.column) = $1",
                        parameters: [.integer])
                )
            }
        }
    }

    private static func insertNew(_ table: TableDefinition) -> Statement {
        let columns = TableDefinition.list(table.columns)
        let width = table.columns.count
        let rows = (0..<batch).map { "(\(parameters(width, from: $0 * width + 1)))" }.joined(separator: ", ")
        return Statement(
            "copy_new_\(table.name)",
            """
            WITH page (\(columns)) AS (VALUES \(rows))
            INSERT INTO \(table.name) (\(columns)) SELECT \(columns) FROM page
            WHERE \(parentsExist(table) { "page.\($0)" }) ON CONFLICT DO NOTHING
            RETURNING \(TableDefinition.list(table.key))
            """, parameters: (0..<batch).flatMap { _ in table.columns.map(\.type) })
    }

    private static func upsert(_ table: TableDefinition) -> Statement {
        let columns = TableDefinition.list(table.columns)
        let others = table.columns.filter { !table.key.contains($0) }
        // A row of nothing but its key is put in its own place.
        let replaced = (others.isEmpty ? table.key : others).map { "\($0.name) = excluded.\($0.name)" }
        return Statement(
            "copy_put_\(table.name)",
            """
            INSERT INTO \(table.name) (\(columns)) SELECT \(parameters(table.columns.count))
            WHERE \(parentsExist(table) { "$\((table.position(of: $0) ?? 0) + 1)" })
            ON CONFLICT (\(TableDefinition.list(table.key))) DO UPDATE SET \(replaced.joined(separator: ", "))
            """, parameters: table.columns.map(\.type))
    }

    private static func release(_ index: Int, of table: TableDefinition) -> Statement {
        let unique = table.uniques[index]
        let types = unique.columns.compactMap { name in table.position(of: name) }.map { table.columns[$0].type }
        let same = unique.columns.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: " AND ")
        let other = table.key.enumerated().map { "\($1.name) <> $\(types.count + $0 + 1)" }.joined(separator: " OR ")
        let action =
            switch unique.release {
            case .removal: "DELETE FROM \(table.name)"
            case .assignment(let assignments): "UPDATE \(table.name) SET \(assignments)"
            }
        return Statement(
            "copy_release_\(table.name)_\(index)",
            "\(action) WHERE \(same) AND (\(other)) AND \(onlyWhileFilling)",
            parameters: types + table.key.map(\.type))
    }

    /// A condition that is true when what `value` says about each column that has a parent is there, or is null.
    private static func parentsExist(_ table: TableDefinition, value: (String) -> String) -> String {
        guard !table.parents.isEmpty else { return "1 = 1" }
        return table.parents.map {
            let key = value($0.column)
            return "(\(key) IS NULL OR EXISTS (SELECT 1 FROM \($0.table) AS parent WHERE parent.key = \(key)))"
        }.joined(separator: " AND ")
    }

    private static func parameters(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map { "$\($0)" }.joined(separator: ", ")
    }

    private static func tuple(_ list: String, _ count: Int) -> String { count == 1 ? list : "(\(list))" }
}

extension TableStatements {
    private static let byTable: [String: TableStatements] = Dictionary(
        uniqueKeysWithValues: TableDefinition.all.map { ($0.name, TableStatements($0)) })

    /// The statements of a table of the catalogue.
    static func of(_ table: TableDefinition) -> TableStatements { byTable[table.name] ?? TableStatements(table) }

    /// All statements of all tables.
    static let all: [Statement] = TableDefinition.all.flatMap { table in
        let own = of(table)
        return [
            own.firstPage, own.nextPage, own.byKey, own.count, own.insertNew, own.upsert, own.remove, own.clear,
        ] + own.releases + own.children.map(\.statement)
    }
}
