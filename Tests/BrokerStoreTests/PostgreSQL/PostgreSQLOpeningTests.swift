import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("Opening a store on PostgreSQL", .timeLimit(.minutes(20)))
struct PostgreSQLOpeningTests {
    private static var impatient: PostgreSQLOptions {
        var options = PostgreSQLOptions()
        options.openTimeout = .milliseconds(100)
        return options
    }

    private static func refusal(
        of url: String, _ options: PostgreSQLOptions = PostgreSQLOptions()
    ) async throws -> StoreError? {
        do throws(StoreError) {
            let store = try await Store.open(postgreSQL: url, options: options)
            await store.close()
            return nil
        } catch {
            return error
        }
    }

    /// Lends an empty database to `body`.
    private static func withEmptyDatabase(_ body: (String, RawPostgreSQL) async throws -> Void) async throws {
        let url = try await PostgreSQLServer.shared.newEmptyDatabase()
        do {
            try await body(url, try RawPostgreSQL(url))
        } catch {
            try await PostgreSQLServer.shared.drop(url)
            throw error
        }
        try await PostgreSQLServer.shared.drop(url)
    }

    private static func relations(_ database: RawPostgreSQL) throws -> [[String?]] {
        try database.run(
            """
            SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
            UNION SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace ORDER BY 1
            """)
    }

    /// What stands around the password in an unusable connection string.
    enum Mistake: String, CaseIterable {
        case noURL = "not a connection string, password="
        case unknownKeyword = "host=localhost nonsense=1 password="
        case unknownParameter = "postgresql://localhost/db?nonsense=1&password="
        case badPort = "postgresql://localhost:port/db?password="
        case badEscape = "postgresql://%zz@localhost/db?password="
        case nul = "host=local\u{0}host password="
        case nobodyThere = "postgresql://someone@127.0.0.1:1/db?password="
    }

    @Test func `what an extension brings along does not make the database another program's`() async throws {
        try await Self.withEmptyDatabase { url, database in
            try database.run("CREATE EXTENSION pg_stat_statements")

            #expect(try await Self.refusal(of: url) == nil)
        }
    }

    @Test func `a broker is ready while another one changes the schema`() async throws {
        try await withDatabase { store, url in
            let migrator = try RawPostgreSQL(url)
            try migrator.run("BEGIN; LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE")

            try await store.ping()

            try migrator.run("ROLLBACK")
        }
    }

    @Test func `a connection by service says itself how it is encrypted`() async throws {
        let refusal = try await Self.refusal(of: "postgresql:///broker?service=production", Self.impatient)

        #expect(refusal?.reason.contains("sslmode") == true)
    }

    @Test(arguments: Mistake.allCases)
    func `a mistake in the connection string is refused without repeating it`(mistake: Mistake) async throws {
        let password = randomText()

        let error = try await Self.refusal(of: mistake.rawValue + password, Self.impatient)

        #expect(error?.kind == .unavailable)
        #expect(error.map { "\($0)".contains(password) } == false)
    }

    @Test func `a missing database is reported`() async throws {
        try await Self.withEmptyDatabase { url, _ in
            let name = "nowhere_\(randomText(8))"

            let error = try await Self.refusal(
                of: "postgresql:///\(name)?\(url.split(separator: "?").last ?? "")", Self.impatient)

            #expect(error?.kind == .unavailable)
            #expect(error?.reason.contains(name) == true)
        }
    }

    @Test(arguments: [
        "CREATE TABLE songs (title text)", "CREATE VIEW songs AS SELECT 1 AS title",
        "CREATE TABLE schema_migrations (version varchar PRIMARY KEY)",
        "CREATE TABLE schema_migrations (version bigint, applied_at timestamp); CREATE TABLE users (name text)",
    ])
    func `the database of another program is refused and left alone`(sql: String) async throws {
        try await Self.withEmptyDatabase { url, database in
            try database.run(sql)
            let before = try Self.relations(database)

            let error = try await Self.refusal(of: url)

            #expect(error?.kind == .foreignFile)
            #expect(try Self.relations(database) == before)
        }
    }

    @Test func `a schema of a later broker is refused`() async throws {
        try await withDatabase { _, url in
            try RawPostgreSQL(url).run("INSERT INTO schema_migrations VALUES (999, 'later', 0)")

            let error = try await Self.refusal(of: url)

            #expect(error?.kind == .newerSchema)
        }
    }

    @Test func `a read-only database is refused`() async throws {
        try await withDatabase { _, url in
            let name = url.split(separator: "?").first?.split(separator: "/").last ?? ""
            try RawPostgreSQL(url).run("ALTER DATABASE \(name) SET default_transaction_read_only = on")

            let error = try await Self.refusal(of: url, Self.impatient)

            #expect(error?.kind == .unavailable)
        }
    }

    @Test func `a role without privileges is reported`() async throws {
        let role = "limited_\(randomText(8))"
        try await Self.withEmptyDatabase { url, database in
            try database.run("CREATE ROLE \(role) LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            let limited = url.replacing("user=postgres", with: "user=\(role)")
            let atOpening = try await Self.refusal(of: limited)
            await (try Store.open(postgreSQL: url)).close()
            try database.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
            let store = try await Store.open(postgreSQL: limited)

            let atWriting = await failure(StoreError.self) { try await store.addUser() }
            await store.close()
            try database.run("DROP OWNED BY \(role); DROP ROLE \(role)")

            for error in [atOpening, atWriting] {
                #expect(error?.kind == .unavailable)
                #expect(error?.reason.contains("permission denied") == true, "\(String(describing: error))")
            }
        }
    }

    @Test(arguments: [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")])
    func `an answer is not given before the commit is on disk`(configured: String, used: String) async throws {
        try await withDatabase { _, url in
            let name = url.split(separator: "?").first?.split(separator: "/").last ?? ""
            try RawPostgreSQL(url).run("ALTER DATABASE \(name) SET synchronous_commit = \(configured)")
            let store = try await Store.open(postgreSQL: url)

            let setting = try await store.write { tx in
                try tx.value(TestStatements.synchronousCommit) { row throws(StoreError) in try row.text() }
            }
            await store.close()

            #expect(setting == used)
        }
    }
}
