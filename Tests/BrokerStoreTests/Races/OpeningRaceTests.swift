import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Races for an empty database")
struct OpeningRaceTests {
    private static let contenders = 8
    private static let rounds = max(min(TwoStores.rounds, 400) / 10, 1)

    @Test(arguments: TestEngine.allCases)
    func `first starts at the same moment make one schema`(on engine: TestEngine) async throws {
        for _ in 0..<Self.rounds {
            try await Self.withEmptyDatabase(engine) { _, open in
                let line = StartingLine(for: Self.contenders)

                let values = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                    for _ in 0..<Self.contenders {
                        group.addTask {
                            await line.wait()
                            return try await Self.start(open)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }

                #expect(Set(values).count == 1 && values.first != nil)
                let store = try await open()
                let (version, users) = try await store.read { tx in
                    (try tx.schemaVersion(), try tx.users(after: nil, limit: 100))
                }
                await store.close()
                #expect(version == Migration.all.last?.version)
                #expect(users.count == Self.contenders)
            }
        }
    }

    @Test func `brokers of a new version that start at the same moment change an old schema once`() async throws {
        for _ in 0..<Self.rounds {
            try await Self.withEmptyDatabase(.postgreSQL) { url, open in
                try RawPostgreSQL(url).run(Self.oldSchema)
                let line = StartingLine(for: Self.contenders)

                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<Self.contenders {
                        group.addTask {
                            await line.wait()
                            await (try open()).close()
                        }
                    }
                    try await group.waitForAll()
                }

                let versions = try RawPostgreSQL(url).run("SELECT version FROM schema_migrations ORDER BY version")
                #expect(versions == Migration.all.map { ["\($0.version)"] })
            }
        }
    }

    /// What the broker had before its latest migration, as SQL.
    private static var oldSchema: String {
        let migrations = Migration.all.dropLast()
        let records = migrations.map { "INSERT INTO schema_migrations VALUES (\($0.version), '\($0.name)', 0)" }
        return
            (["CREATE DOMAIN broker_text AS text COLLATE \"C\"", Migration.table]
            + migrations.flatMap(\.statements) + records).joined(separator: ";\n")
    }

    /// Opens, adds a user and settles on a secret, as a first start does with its keys.
    private static func start(_ open: @Sendable () async throws -> Store) async throws -> [UInt8]? {
        let store = try await open()
        let mine = randomBytes()
        do {
            try await store.addUser()
            let value = try await store.write { tx in
                _ = try tx.insertSetting("first", mine)
                return try tx.setting("first")
            }
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    private static func withEmptyDatabase(
        _ engine: TestEngine, _ body: (String, @escaping @Sendable () async throws -> Store) async throws -> Void
    ) async throws {
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            try await body(folder.path) { try await .open(sqlite: folder.file("s"), options: .patient, now: .noon) }
        case .postgreSQL:
            let url = try await PostgreSQLServer.shared.newEmptyDatabase()
            do {
                try await body(url) { try await .open(postgreSQL: url, now: .noon) }
            } catch {
                try await PostgreSQLServer.shared.drop(url)
                throw error
            }
            try await PostgreSQLServer.shared.drop(url)
        }
    }
}
