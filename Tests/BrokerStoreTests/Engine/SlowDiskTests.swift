import Testing

@testable import BrokerStore

@Suite("A store on a slow disk")
struct SlowDiskTests {
    @Test func `reads with more readers than it has at first`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("broker.sqlite")
        let disk = TestDisk(path, delay: .milliseconds(2))
        defer { disk.end() }
        var options = SQLiteOptions()
        options.readers = 2
        let store = try await Store.open(sqlite: path, options: options)
        do {
            var users: [Int64] = []
            for _ in 0..<16 { users.append(try await store.addUser().key) }
            disk.begin()

            for _ in 0..<500 where disk.mostWaiting <= options.readers {
                // Readers forget the pages that they have read once something was written.
                try await store.addUser()
                try await Self.read(users, in: store)
            }

            #expect(disk.mostWaiting > options.readers)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    private static func read(_ users: [Int64], in store: Store) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for key in users { group.addTask { try await store.pointRead { try $0.user(key: key) } != nil } }
            for try await isFound in group { #expect(isFound) }
        }
    }
}
