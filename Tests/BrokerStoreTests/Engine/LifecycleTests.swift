import BrokerStore
import Dispatch
import Testing

@Suite("The store's threads")
struct LifecycleTests {
    @Test func `slow transactions do not hold up other tasks`() async throws {
        try await withStore { store in
            let (entries, entrance) = AsyncStream.makeStream(of: Void.self)
            let exit = DispatchSemaphore(value: 0)
            // Enough of them to occupy every connection and more than every thread of the cooperative pool.
            let transactions = SQLiteOptions().readers + 1

            let allWereReleased = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<transactions {
                    let body: @Sendable (borrowing Transaction) throws -> Bool = { _ in
                        entrance.yield()
                        return exit.wait(timeout: .now() + 120) == .success
                    }
                    group.addTask { number == 0 ? try await store.write(body) : try await store.read(body) }
                }
                group.addTask {
                    var inside = entries.makeAsyncIterator()
                    for _ in 0..<transactions { await inside.next() }
                    for _ in 0..<20 { await Task.yield() }
                    for _ in 0..<transactions { exit.signal() }
                    return true
                }
                return try await group.reduce(true) { $0 && $1 }
            }

            #expect(allWereReleased)
        }
    }

    @Test func `closing finishes what was asked for and refuses what comes after`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Store.open(sqlite: folder.file("s"))
        let isInside = DispatchSemaphore(value: 0)
        let user = User.sample()
        async let written = store.write { tx in
            isInside.signal()
            return try tx.insert(user)
        }
        await Task.detached { isInside.wait() }.value

        await store.close()

        #expect(try await written)
        let error = await #expect(throws: StoreError.self) { try await store.addUser() }
        #expect(error?.kind == .closed)
        await #expect(throws: StoreError.self) { _ = try await store.user(user) }
        await store.close()
    }

    @Test func `closing under load answers every caller`() async throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let store = try await Store.open(sqlite: folder.file("s"))

            let answers = await withTaskGroup(of: Bool?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            try await store.addUser()
                            return true
                        } catch {
                            return (error as? StoreError)?.kind == .closed ? false : nil
                        }
                    }
                }
                group.addTask {
                    await store.close()
                    return false
                }
                return await group.reduce(into: []) { $0.append($1) }
            }

            let reopened = try await Store.open(sqlite: folder.file("s"))
            let users = try await reopened.read { tx in try tx.users(after: nil, limit: 100) }
            await reopened.close()
            #expect(answers.count == 51 && !answers.contains(nil))
            #expect(users.count == answers.count { $0 == true })
        }
    }

    @Test func `a store that is open answers a ping, a closed one does not`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Store.open(sqlite: folder.file("s"))

        try await store.ping()
        await store.close()

        await #expect(throws: StoreError.self) { try await store.ping() }
    }
}
