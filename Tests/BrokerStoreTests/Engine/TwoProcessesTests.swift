import BrokerStore
import Foundation
import Testing

@Suite("Several processes on one file")
struct TwoProcessesTests {
    @Test func `two stores write side by side without losing anything`() async throws {
        try await withStoreFile { first, path in
            let second = try await Store.open(sqlite: path)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask { try await (number.isMultiple(of: 2) ? first : second).addUser() }
                }
                try await group.waitForAll()
            }
            let users = try await second.read { tx in try tx.users(after: nil, limit: 1000) }
            await second.close()

            #expect(users.count == 200)
        }
    }

    @Test func `a write waits while another process writes`() async throws {
        try await withStoreFile { store, path in
            let other = try RawSQLite(path)
            try other.run("BEGIN IMMEDIATE")
            async let user = store.addUser()
            await Task.yield()

            try other.run("COMMIT")

            #expect(try await store.user(user) != nil)
        }
    }

    @Test func `concurrent waits for another process do not add up`() async throws {
        var options = SQLiteOptions()
        options.busyTimeout = .milliseconds(300)
        options.writesPerCommit = 1
        try await withStoreFile(options) { store, path in
            let other = try RawSQLite(path)
            try other.run("BEGIN IMMEDIATE")
            let clock = ContinuousClock()
            let alone = await clock.measure { await #expect(throws: StoreError.self) { try await store.addUser() } }
            let start = clock.now

            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask { _ = await #expect(throws: StoreError.self) { try await store.addUser() } }
                }
            }

            // One after the other they would have waited a hundred times as long as one.
            #expect(start.duration(to: clock.now) < alone * 50)
            try other.run("ROLLBACK")
            try await store.addUser()
        }
    }

    @Test func `a write gives up after the busy time-out, with nothing written, and the store goes on`() async throws {
        var options = SQLiteOptions()
        options.busyTimeout = .milliseconds(30)
        try await withStoreFile(options) { store, path in
            let other = try RawSQLite(path)
            try other.run("BEGIN IMMEDIATE")

            let error = await #expect(throws: StoreError.self) { try await store.addUser() }
            try other.run("ROLLBACK")

            #expect(error?.kind == .busy)
            try await store.addUser()
            let users = try await store.read { tx in try tx.users(after: nil, limit: 10) }
            #expect(users.count == 1)
        }
    }
}
