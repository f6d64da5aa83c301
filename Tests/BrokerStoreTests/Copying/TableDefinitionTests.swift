import BrokerStore
import StoreSchema
import Testing

@Suite("The declarations of tables")
struct TableDefinitionTests {
    /// A schema as SQLite tells it.
    private static func withSchema(_ body: (RawSQLite) throws -> Void) async throws {
        try await withStoreFile { _, path in try body(RawSQLite(path)) }
    }

    @Test func `every table is copied, or belongs to the store it is in`() async throws {
        try await Self.withSchema { file in
            let tables = try file.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map(\.[0])

            #expect(tables == (TableDefinition.all.map(\.name) + TableDefinition.ofTheStoreItself).sorted())
        }
    }

    @Test(arguments: ProjectionDefinition.all)
    func `every property of a projection is one of its table's record`(projection: ProjectionDefinition) {
        #expect(projection.fields.compactMap(\.property?.name) == projection.properties)
    }

    @Test(arguments: TableDefinition.all)
    func `columns, types and primary key are those of the schema`(table: TableDefinition) async throws {
        try await Self.withSchema { file in
            let columns = try file.rows(
                """
                SELECT name, type, CASE WHEN "notnull" OR pk > 0 THEN '' ELSE 'NULL' END, pk
                FROM pragma_table_info('\(table.name)') ORDER BY name
                """)
            let key = columns.filter { $0[3] != "0" }.sorted { Int($0[3] ?? "") ?? 0 < Int($1[3] ?? "") ?? 0 }

            let declared = table.columns.sorted { $0.name < $1.name }
            #expect(
                columns.map { Array($0[0...2]) }
                    == declared.map { [$0.name, $0.type.name, $0.isNullable ? "NULL" : ""] })
            #expect(key.map(\.[0]) == table.key.map(\.name))
        }
    }

    @Test(arguments: TableDefinition.all)
    func `rows stand where the declaration says`(table: TableDefinition) async throws {
        try await Self.withSchema { file in
            let sql = try file.rows("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '\(table.name)'")

            let isClustered = sql.first?[0]?.hasSuffix("WITHOUT ROWID")
            #expect(isClustered == (table.keyStorage == .clustered))
        }
    }

    @Test(arguments: TableDefinition.all)
    func `indexes are those of the schema`(table: TableDefinition) async throws {
        try await Self.withSchema { file in
            let indexes = try file.rows(
                """
                SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(table.name)' AND sql IS NOT NULL
                AND sql NOT LIKE 'CREATE UNIQUE%' ORDER BY name
                """
            ).compactMap { $0[0]?.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

            let declared = table.indexes.sorted { $0.name < $1.name }.map { index in
                "CREATE INDEX \(index.name) ON \(table.name) (\(index.columns))"
                    + (index.condition.map { " WHERE \($0)" } ?? "")
            }
            #expect(indexes == declared)
        }
    }

    @Test(arguments: TableDefinition.all)
    func `parents are the foreign keys of the schema, and come first`(table: TableDefinition) async throws {
        try await Self.withSchema { file in
            let found = try file.rows(
                """
                SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('\(table.name)') ORDER BY "from"
                """)

            let parents = table.parents.sorted { $0.column < $1.column }
            #expect(found == parents.map { [$0.column, $0.table, "key", "CASCADE"] })
            let before = TableDefinition.all.prefix { $0.name != table.name }.map(\.name)
            #expect(table.parents.allSatisfy { before.contains($0.table) })
        }
    }

    @Test(arguments: TableDefinition.all)
    func `what is unique is what the schema says`(table: TableDefinition) async throws {
        try await Self.withSchema { file in
            let indexes = try file.rows(
                """
                SELECT (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(list.name) ORDER BY seqno))
                FROM pragma_index_list('\(table.name)') AS list WHERE "unique" = 1 AND origin <> 'pk'
                """
            ).map(\.[0])

            #expect(Set(indexes) == Set(table.uniques.map { $0.columns.joined(separator: ",") }))
            #expect(indexes.count == table.uniques.count)
        }
    }
}

extension ColumnType {
    /// As our DDL spells it.
    fileprivate var name: String {
        switch self {
        case .integer: "bigint"
        case .text: "broker_text"
        case .blob: "bytea"
        }
    }
}

extension TableDefinition: CustomTestStringConvertible {
    public var testDescription: String { name }
}
