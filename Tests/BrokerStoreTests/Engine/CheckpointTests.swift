import BrokerStore
import Foundation
import Testing

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
}
