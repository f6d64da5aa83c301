import PostgreSQLTesting
import Testing

@testable import BrokerStore

/// Two processes share their random bits with chance 1 in 2,048; their rows of one microsecond then have the same keys.
@Suite("Collisions of private keys")
struct KeyCollisionTests {
    private struct Zero: RandomNumberGenerator {
        func next() -> UInt64 { 0 }
    }

    /// Lends a store whose next keys are those of a generator that made them before.
    private static func withTwin(
        on engine: TestEngine, _ body: (Store, KeyGenerator) async throws -> Void
    ) async throws {
        try await withStore(engine) { store in
            var zero = Zero()
            try await body(store.drawing(from: KeyGenerator(using: &zero)), KeyGenerator(using: &zero))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `repeat the transaction with new keys`(on engine: TestEngine) async throws {
        try await Self.withTwin(on: engine) { store, twin in
            let taken = twin.next(at: Timestamp.noon.date)
            try await store.addUser(User(key: taken, localID: "first", createdAt: .noon))
            let attempts = Attempts()

            let key = try await store.write(at: .noon) { tx in
                attempts.next()
                let user = User(key: tx.nextKey(), localID: "second", createdAt: tx.now)
                guard try tx.insert(user) else { return Int64(0) }
                return user.key
            }

            let user = try await store.read { tx in try tx.user(localID: "second") }
            #expect(attempts.count == 2)
            #expect(user?.key == key)
            #expect(key > taken)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `repeat what plain insertions and the audit wrote`(on engine: TestEngine) async throws {
        try await Self.withTwin(on: engine) { store, twin in
            let taken = twin.next(at: Timestamp.noon.date)
            try await store.write { tx in
                try tx.append(AuditEntry(key: taken, at: .noon, actorKind: .system, event: "first", localID: "user"))
            }

            try await store.write(at: .noon, by: Origin(.admin, actor: "root", requestID: "request")) { tx in
                try tx.audit("second", of: "user")
            }

            let entries = try await store.read { tx in try tx.auditEntries(localID: "user", limit: 10) }
            #expect(entries.map(\.event) == ["second", "first"])
            #expect(entries.first?.actor == "root")
            #expect(entries.first?.requestID == "request")
            #expect(entries.first?.at == .noon)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `undo nothing of other transactions`(on engine: TestEngine) async throws {
        try await Self.withTwin(on: engine) { store, twin in
            let taken = twin.next(at: Timestamp.noon.date)
            try await store.addUser(User(key: taken, localID: "first", createdAt: .noon))

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await store.write(at: .noon) { tx in
                            _ = try tx.insert(User(key: tx.nextKey(), localID: "\(number)", createdAt: tx.now))
                        }
                    }
                }
                try await group.waitForAll()
            }

            let found = try await store.read { tx in
                try (0..<20).filter { try tx.user(localID: "\($0)") != nil }.count
            }
            #expect(found == 20)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `come out as an error of their own when keys are given`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()

            let error = await failure(StoreError.self) {
                try await store.addUser(User(key: user.key, localID: "other", createdAt: .noon))
            }

            #expect(error?.kind == .rowKeyTaken)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of a public key stay an answer`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()

            let isInserted = try await store.write(at: .noon) { tx in
                try tx.insert(User(key: tx.nextKey(), localID: user.localID, createdAt: tx.now))
            }

            #expect(!isInserted)
        }
    }
}
