import BrokerStore
import Foundation
import Testing

@Suite("Opening a store")
struct OpeningTests {
    private static var impatient: SQLiteOptions {
        var options = SQLiteOptions()
        options.busyTimeout = .milliseconds(50)
        return options
    }

    private static func refusal(
        of path: String, _ options: SQLiteOptions = SQLiteOptions()
    ) async throws -> StoreError? {
        do throws(StoreError) {
            let store = try await Store.open(sqlite: path, options: options)
            await store.close()
            return nil
        } catch {
            return error
        }
    }

    @Test func `files are for the owner only`() async throws {
        try await withStoreFile { store, path in
            try await store.addUser()

            for file in [path, path + "-wal", path + "-shm"] {
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(file)")
            }
        }
    }

    @Test func `what was written is there after the store was closed and opened again`() async throws {
        let folder = try TemporaryFolder()
        let first = try await Store.open(sqlite: folder.file("s"))
        let user = try await first.addUser()
        await first.close()

        let second = try await Store.open(sqlite: folder.file("s"))
        let found = try await second.user(user)
        await second.close()

        #expect(found == user)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s"])
    }

    @Test func `the schema's version is known`() async throws {
        try await withStore { store in
            let version = try await store.read { tx in try tx.schemaVersion() }

            #expect(version == Migration.all.last?.version)
        }
    }

    @Test func `a missing folder is reported`() async throws {
        let folder = try TemporaryFolder()

        let error = try await Self.refusal(of: folder.file("nowhere/broker.sqlite"))

        #expect(error?.kind == .unavailable)
        #expect(error?.reason.contains("nowhere/broker.sqlite") == true)
    }

    @Test(arguments: ["", "broker\u{0}.sqlite"])
    func `a name that is none is refused`(name: String) async throws {
        let error = try await Self.refusal(of: name)

        #expect(error?.kind == .unavailable)
    }

    @Test(arguments: ["CREATE TABLE songs (title)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"])
    func `the database of another program is refused and left alone`(sql: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("songs.db")
        do { try RawSQLite(path).run(sql) }
        let before = try Data(contentsOf: URL(filePath: path))

        let error = try await Self.refusal(of: path)

        #expect(error?.kind == .foreignFile)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `a file that is no database is refused and left alone`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("letter.txt")
        let letter = Data(randomText(9000).utf8)
        try letter.write(to: URL(filePath: path))

        let error = try await Self.refusal(of: path)

        #expect(error?.kind == .foreignFile)
        #expect(try Data(contentsOf: URL(filePath: path)) == letter)
    }

    @Test func `a schema of a later broker is refused`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        #expect(try await Self.refusal(of: path) == nil)
        try RawSQLite(path).run("PRAGMA user_version = 999")

        let error = try await Self.refusal(of: path)

        #expect(error?.kind == .newerSchema)
    }

    @Test(arguments: [100, 4096])
    func `a damaged file is refused`(from offset: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        #expect(try await Self.refusal(of: path) == nil)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(offset..<bytes.count, with: Data(repeating: 0xa5, count: bytes.count - offset))
        try bytes.write(to: URL(filePath: path))

        let error = try await Self.refusal(of: path)

        #expect(error?.kind == .corrupt)
    }

    @Test func `a file whose list of migrations was tampered with is refused`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        #expect(try await Self.refusal(of: path) == nil)
        try RawSQLite(path).run("DELETE FROM schema_migrations")

        let error = try await Self.refusal(of: path)

        #expect(error?.kind == .corrupt)
    }

    @Test func `a locked file is refused after the busy time-out`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        let other = try RawSQLite(path)
        try other.run("BEGIN EXCLUSIVE")

        let error = try await Self.refusal(of: path, Self.impatient)

        #expect(error?.kind == .busy)
        try other.run("ROLLBACK")
        #expect(try await Self.refusal(of: path, Self.impatient) == nil)
    }

    @Test func `first starts at the same moment make one schema`() async throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let path = folder.file("s")

            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let store = try await Store.open(sqlite: path, options: .patient)
                        try await store.addUser()
                        await store.close()
                    }
                }
                try await group.waitForAll()
            }

            let store = try await Store.open(sqlite: path)
            let users = try await store.read { tx in try tx.users(after: nil, limit: 10) }
            await store.close()
            #expect(users.count == 4)
        }
    }
}
