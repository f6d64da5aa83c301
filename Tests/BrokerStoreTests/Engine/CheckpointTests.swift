import CSQLite
import Foundation
import Logging
import Synchronization
import Testing

@testable import BrokerStore

@Suite("The write-ahead log")
struct CheckpointTests {
    private static func size(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private static func writeUsers(_ count: Int, to store: Store) async throws {
        for _ in 0..<count {
            let attributes = String(repeating: "x", count: 4000)
            try await store.addUser(
                User(key: newKey(), localID: randomText(), customAttributes: attributes, createdAt: .noon))
        }
    }

    @Test func `is copied in the background`() async throws {
        var options = SQLiteOptions()
        options.checkpointPages = 20
        try await withStoreFile(options) { store, path in
            let before = try Self.size(of: path)

            var rounds = 0
            while store.statistics.checkpoints < 3, rounds < 100 {
                try await Self.writeUsers(20, to: store)
                rounds += 1
            }

            #expect(store.statistics.checkpoints >= 3)
            #expect(try Self.size(of: path) > before)
        }
    }

    @Test func `starts over even when there is no pause between writes`() async throws {
        var options = SQLiteOptions()
        options.checkpointPages = 50
        options.restartPages = 100
        try await withStoreFile(options) { store, path in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 { group.addTask { try await Self.writeUsers(200, to: store) } }
                try await group.waitForAll()
            }

            // About 13 MB were written. A busy machine lets the copying thread come late, but a log that never started
            // over would hold all of them.
            #expect(try Self.size(of: path + "-wal") < 9_000_000)
        }
    }

    @Test func `is on the disk, as far as it is copied, before it may start over`() throws {
        let log = try LongLog()
        defer { log.disk.end() }

        try log.copy()

        #expect(try Self.size(of: log.path) > log.pages * 4096)
        #expect(log.disk.pagesOffDisk == 0)
        #expect((1...64).contains(log.disk.mostPagesOffDisk))
        #expect(log.isRestartDue)
        try log.reader.control(.commit)
        log.checkpointer(on: log.writer).startOver()
        try log.write(1)
        #expect(try log.length() < log.pages)
        #expect(log.disk.pagesOffDisk == 0)
    }

    @Test func `is kept when the database file cannot be written to the disk`() throws {
        // So few that the copy itself succeeds.
        let log = try LongLog(pages: 50)
        defer { log.disk.end() }
        log.disk.fail()

        try log.copy()

        #expect(log.counters.statistics.checkpoints == 1)
        #expect(!log.isRestartDue)
    }

    @Test func `waits for readers of the old one for a moment only`() throws {
        let log = try LongLog()
        defer { log.disk.end() }
        try log.copy()

        log.checkpointer(on: log.writer).startOver()

        try log.write(1)
        #expect(try log.length() > 2 * log.pages)
        #expect(try log.reader.once("SELECT count(*) FROM entries") == .integer(Int64(log.pages)))
    }
}

/// A log of which a reader keeps the second half from being copied, as constant writes would.
private struct LongLog {
    let pages: Int
    private let folder: TemporaryFolder
    let path: String
    let disk: TestDisk
    let writer: SQLiteConnection
    let reader: SQLiteConnection
    private let checkpoints = Checkpoints()
    let counters = StoreCounters()

    init(pages: Int = 200) throws {
        self.pages = pages
        folder = try TemporaryFolder()
        path = folder.file("broker.sqlite")
        disk = TestDisk(path)
        writer = try SQLiteConnection.writer(path, SQLiteOptions())
        reader = try SQLiteConnection.reader(path, SQLiteOptions())
        try writer.once("PRAGMA application_id = \(SQLiteConnection.applicationID)")
        try writer.once("CREATE TABLE entries (bytes BLOB)")
        try write(pages)
        try reader.control(.begin)
        try reader.once("SELECT count(*) FROM entries")
        try write(pages)
    }

    var isRestartDue: Bool { checkpoints.isRestartDue.load(ordering: .relaxed) }

    func write(_ entries: Int) throws {
        try writer.control(.beginImmediate)
        for _ in 0..<entries { try writer.once("INSERT INTO entries VALUES (zeroblob(4050))") }
        try writer.control(.commit)
    }

    func checkpointer(on connection: SQLiteConnection) -> SQLiteCheckpointer {
        SQLiteCheckpointer(
            connection: connection, counters: counters, restartPages: pages, logger: Logger(label: "test"))
    }

    /// Copies what may be copied, as in the background.
    func copy() throws {
        _ = checkpoints.requests.append(2 * pages)
        checkpoints.requests.close()
        checkpointer(on: try SQLiteConnection.checkpointer(path, SQLiteOptions())).run(checkpoints)
    }

    /// The number of pages in the log.
    func length() throws -> Int {
        var pages: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(writer.handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, nil)
        try #require(code == SQLITE_OK)
        return Int(pages)
    }
}
