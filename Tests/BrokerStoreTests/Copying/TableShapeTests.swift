import BrokerStore
import Testing

@Suite("The shapes of tables")
struct TableShapeTests {
    /// A schema as SQLite tells it.
    private static func withSchema(_ body: (RawSQLite) throws -> Void) async throws {
        try await withStoreFile { _, path in try body(RawSQLite(path)) }
    }

    @Test func `every table is copied, or belongs to the store it is in`() async throws {
        try await Self.withSchema { file in
            let tables = try file.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map(\.[0])

            #expect(tables == (TableShape.all.map(\.name) + TableShape.ofTheStoreItself).sorted())
        }
    }

    @Test(arguments: TableShape.all)
    func `columns, types and primary key are those of the schema`(table: TableShape) async throws {
        try await Self.withSchema { file in
            let columns = try file.rows("SELECT name, type, pk FROM pragma_table_info('\(table.name)') ORDER BY cid")
            let key = columns.filter { $0[2] != "0" }.sorted { Int($0[2] ?? "") ?? 0 < Int($1[2] ?? "") ?? 0 }

            #expect(columns.map { [$0[0], $0[1]] } == table.columns.map { [$0.name, $0.type.name] })
            #expect(key.map(\.[0]) == table.key.map(\.name))
        }
    }

    @Test(arguments: TableShape.all)
    func `parents are the foreign keys of the schema, and come first`(table: TableShape) async throws {
        try await Self.withSchema { file in
            let found = try file.rows(
                """
                SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('\(table.name)') ORDER BY "from"
                """)

            let parents = table.parents.sorted { $0.column < $1.column }
            #expect(found == parents.map { [$0.column, $0.table, "key", "CASCADE"] })
            let before = TableShape.all.prefix { $0.name != table.name }.map(\.name)
            #expect(table.parents.allSatisfy { before.contains($0.table) })
        }
    }

    @Test(arguments: TableShape.all)
    func `what is unique is what the schema says`(table: TableShape) async throws {
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

extension TableShape: CustomTestStringConvertible {
    public var testDescription: String { name }
}
