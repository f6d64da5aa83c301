import BrokerStore
import PostgreSQLTesting
import StoreSchema
import Testing

@Suite("SQL on PostgreSQL")
struct PostgreSQLDialectTests {
    /// The types our DDL is written in.
    private static let types = "CREATE DOMAIN broker_text AS text COLLATE \"C\";\n"

    private static let schema = ([Migration.table] + Migration.all.flatMap(\.statements)).map { $0 + ";\n" }.joined()

    private static func preparation(of statement: Statement) -> String {
        let types = statement.parameters.map { type in
            switch type {
            case .integer: "bigint"
            case .text: "text"
            case .blob: "bytea"
            }
        }
        let list = types.isEmpty ? "" : "(\(types.joined(separator: ", ")))"
        return "PREPARE \(statement.name)\(list) AS \(statement.sql);\n"
    }

    @Test func `the migrations run and every statement can be prepared`() async throws {
        let url = try await PostgreSQLServer.shared.newEmptyDatabase()
        let database = try RawPostgreSQL(url)
        try database.run(Self.types + Self.schema)

        for statement in Statement.all { try database.run(Self.preparation(of: statement)) }

        // The test is worth something only if a statement of one dialect is noticed.
        let sqliteOnly = Statement("sqlite_only", "INSERT OR IGNORE INTO users (key) VALUES ($1)", .integer)
        #expect(throws: RawPostgreSQL.Failure.self) { try database.run(Self.preparation(of: sqliteOnly)) }
        try await PostgreSQLServer.shared.drop(url)
    }
}
