import Dispatch
import PostgreSQLTesting
import Synchronization
import Testing

@testable import BrokerStore

@Suite("Transactions")
struct TransactionTests {
    private struct Refusal: Error, Equatable {
        let number: Int
    }

    @Test(arguments: TestEngine.allCases)
    func `an error comes out unchanged and undoes what was written`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()

            let error = await failure(Refusal.self) {
                try await store.write { tx in
                    _ = try tx.insert(user)
                    throw Refusal(number: 7)
                }
            }

            let found = try await store.user(user)
            #expect(error == Refusal(number: 7))
            #expect(found == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a failed statement undoes everything, even if its error is swallowed`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()
            let orphan = Session.sample(of: .sample())

            let error = await failure(StoreError.self) {
                try await store.write { tx in
                    _ = try tx.insert(user)
                    try? tx.insert(orphan)
                }
            }

            let found = try await store.user(user)
            #expect(error?.kind == .constraint)
            #expect(found == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `after a failed statement the transaction does nothing more`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()
            let orphan = Session.sample(of: .sample())
            let refusal = Mutex<StoreError.Kind?>(nil)

            _ = await failure(StoreError.self) {
                try await store.write { tx in
                    try? tx.insert(orphan)
                    do throws(StoreError) {
                        _ = try tx.insert(user)
                    } catch {
                        refusal.withLock { $0 = error.kind }
                    }
                }
            }

            #expect(refusal.withLock { $0 } == .constraint)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `concurrent writes all arrive`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { try await store.addUser() } }
                try await group.waitForAll()
            }

            let users = try await store.read { tx in try tx.users(after: nil, limit: 1000) }

            #expect(users.count == 100)
        }
    }

    @Test func `writes that wait share one commit, and one that fails does not hurt the others`() async throws {
        try await withStore { store in
            let before = store.statistics
            let gate = DispatchSemaphore(value: 0)
            let hasWaited = Atomic(false)
            async let blocker: Void = store.write { _ in
                // It runs again if it shares the transaction in which a write fails.
                guard !hasWaited.exchange(true, ordering: .relaxed) else { return }
                for _ in 0..<100 { gate.wait() }
            }

            let failures = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        gate.signal()
                        do {
                            try await store.write { tx in
                                _ = try tx.insert(User.sample())
                                guard number % 10 > 0 else { throw Refusal(number: number) }
                            }
                            return false
                        } catch {
                            return error as? Refusal == Refusal(number: number)
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try await blocker

            let users = try await store.read { tx in try tx.users(after: nil, limit: 1000) }
            #expect(failures == 10)
            #expect(users.count == 90)
            #expect(store.statistics.writes - before.writes == 101)
            #expect(store.statistics.commits - before.commits < 20)
        }
    }

    @Test func `a commit that is refused fails only the write that caused it`() async throws {
        try await withStore { store in
            let gate = DispatchSemaphore(value: 0)
            let hasWaited = Atomic(false)
            async let blocker: Void = store.write { _ in
                // It runs again if it shares the transaction that is refused.
                guard !hasWaited.exchange(true, ordering: .relaxed) else { return }
                for _ in 0..<20 { gate.wait() }
            }

            let kinds = await withTaskGroup(of: StoreError.Kind?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        gate.signal()
                        do {
                            try await store.write { tx in
                                _ = try tx.insert(User.sample())
                                guard number == 3 else { return }
                                // The orphan is noticed at COMMIT only.
                                try tx.run(Statement("defer", "PRAGMA defer_foreign_keys = ON"))
                                try tx.insert(Session.sample(of: .sample()))
                            }
                            return nil
                        } catch {
                            return (error as? StoreError)?.kind ?? .misuse
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
            }
            try await blocker

            let users = try await store.read { tx in try tx.users(after: nil, limit: 1000) }
            #expect(kinds == [.constraint])
            #expect(users.count == 19)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a write is not to be seen before it is committed, and a reader keeps its view`(on engine: TestEngine)
        async throws
    {
        try await withStore(engine) { store in
            let user = User.sample()
            let (isReading, isWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

            async let views = store.read { tx in
                let first = try tx.user(key: user.key)
                isReading.signal()
                isWritten.wait()
                return [first, try tx.user(key: user.key)]
            }
            try await store.write { tx in
                _ = try tx.insert(user)
                isReading.wait()
            }
            isWritten.signal()

            #expect(try await views == [nil, nil])
            #expect(try await store.user(user) == user)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a reader cannot write`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.read { tx in try tx.insert(User.sample()) }
            }

            #expect(error?.kind == .readOnly)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `the transaction's own writes are visible in it`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()

            let found = try await store.write { tx in
                _ = try tx.insert(user)
                return try tx.user(localID: user.localID)
            }

            #expect(found == user)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a cancelled task still learns the outcome of its write`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()
            let gate = DispatchSemaphore(value: 0)
            let task = Task {
                try await store.write { tx in
                    gate.wait()
                    return try tx.insert(user)
                }
            }

            task.cancel()
            gate.signal()

            let isInserted = try await task.value
            #expect(isInserted)
            #expect(try await store.user(user) == user)
        }
    }
}
