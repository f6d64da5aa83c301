import CSQLite
import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite(
    "A broker whose store is not what it should be", .enabled(if: TestEngine.current == .sqlite),
    .timeLimit(.minutes(20)))
struct UnusableStoreTests {
    /// What lies where the store should be, made of a good one.
    struct Impostor: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let says: String
        let make: @Sendable (_ good: Data) -> Data

        init(_ name: String, says: String, _ make: @escaping @Sendable (Data) -> Data) {
            (testDescription, self.says, self.make) = (name, says, make)
        }
    }

    static let impostors = [
        Impostor("a text file", says: "is not a database of the broker") { _ in Data(randomText(9000).utf8) },
        Impostor("a file that lost its beginning", says: "is not a database of the broker") { good in
            Data(repeating: 0xa5, count: 100) + good.dropFirst(100)
        },
        Impostor("a file that ends in its header", says: "is damaged") { $0.prefix(50) },
        Impostor("a file that ends after its first page", says: "is damaged") { $0.prefix(4096) },
        Impostor("a file that ends in its middle", says: "is damaged") { $0.prefix($0.count / 2) },
        Impostor("a file that is damaged from its first page on", says: "is damaged") { good in
            good.prefix(100) + Data(repeating: 0xa5, count: good.count - 100)
        },
    ]

    @Test(arguments: impostors)
    func `refuses a file in its place, and leaves it alone`(impostor: Impostor) async throws {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            let path = broker.databaseFile
            let bytes = impostor.make(try await Self.stopped(broker))
            try bytes.write(to: URL(filePath: path))

            let result = try await broker.failedStart()

            #expect(result.errors.contains(path), "\(result)")
            #expect(result.errors.contains(impostor.says), "\(result)")
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            let names = try FileManager.default.contentsOfDirectory(atPath: broker.folder.file("data"))
            #expect(names == ["broker.sqlite"])
        }
    }

    @Test func `refuses another program's database, and leaves it alone`() async throws {
        try await Installation.run(isNew: true) { broker in
            _ = try await Self.stopped(broker)
            let path = broker.databaseFile
            try FileManager.default.removeItem(atPath: path)
            try Self.makeSongs(path)
            let bytes = try Data(contentsOf: URL(filePath: path))

            let result = try await broker.failedStart()

            #expect(result.errors.contains("is not a database of the broker"), "\(result)")
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        }
    }

    @Test func `refuses a folder in its place`() async throws {
        try await Installation.run(isNew: true) { broker in
            let path = broker.databaseFile
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)

            let result = try await broker.failedStart()

            #expect(result.errors.contains("\(path) is no file"), "\(result)")
        }
    }

    @Test(.enabled(if: StoreMount.isAllowed, "this host allows no mounts of one's own"))
    func `that may not be written refuses to start`() async throws {
        try await Installation.run(isNew: true) { broker in
            let bytes = try await Self.stopped(broker)

            let result = try await broker.failedStart(through: StoreMount.readOnly)

            #expect(result.errors.contains("may not be written"), "\(result)")
            #expect(try Data(contentsOf: URL(filePath: broker.databaseFile)) == bytes)
        }
    }

    @Test func `with a damaged page answers for what lies elsewhere, and says that it is not available for the rest`()
        async throws
    {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            var sessions: [IdentityToolkitApp.Session] = []
            try await broker.serve { process, client in
                for _ in 0..<300 { sessions.append(try IdentityToolkitApp.Session(try await client.signUp())) }
                try await process.stop()
            }
            let unlucky = try #require(sessions.first)
            try Self.damagePages(holding: unlucky.localID, of: broker.databaseFile)

            try await broker.serve { process, client in
                try await client.lookup(unlucky.idToken).expectUnavailable()
                #expect(await process.log.firstLine { $0.contains("corrupt") } != nil)
                var answers: [Int] = []
                for session in sessions { answers.append(try await client.lookup(session.idToken).status) }
                #expect(answers.contains(200))
                #expect(answers.allSatisfy { [200, 503].contains($0) })
                #expect(try await client.get("/healthz").status == 200)
            }
        }
    }

    /// The bytes of a store whose broker was asked to stop.
    private static func stopped(_ broker: Installation) async throws -> Data {
        try await broker.serve { process, _ in
            try await process.stop()
        }
        return try Data(contentsOf: URL(filePath: broker.databaseFile))
    }

    private static func makeSongs(_ path: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, "CREATE TABLE songs (title)", nil, nil, nil) == SQLITE_OK)
    }

    /// Overwrites every page in which a text stands.
    private static func damagePages(holding text: String, of path: String) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        var hits = 0
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            let page = start..<min(start + 4096, bytes.count)
            guard bytes[page].range(of: Data(text.utf8)) != nil else { continue }
            bytes.replaceSubrange(page, with: Data(repeating: 0xa5, count: page.count))
            hits += 1
        }
        try #require(hits > 0)
        try bytes.write(to: URL(filePath: path))
    }
}
