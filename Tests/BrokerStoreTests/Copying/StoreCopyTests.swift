import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Copying a store", .timeLimit(.minutes(20)))
struct StoreCopyTests {
    /// A soak run interrupts more copies, each at other moments.
    private static let rounds = max(TwoStores.rounds / 50, 1)
    private static let audit = AuditEntry(key: newKey(), at: .noon, actorKind: .admin, event: "store.moving")

    @Test(arguments: TestEngine.allCases)
    func `what is written during the copy arrives`(to engine: TestEngine) async throws {
        try await CopyScene.run(engine) { stores in
            for _ in 0..<200 { try await stores.crowd.join() }

            let before = stores.crowd.writes
            let refusals = try await stores.underLoad { try await stores.copy().prepare() }
            #expect(stores.crowd.writes - before > 60)
            let copied = try await stores.copy().move(Self.audit)

            #expect(refusals == [])
            try await stores.expectEqual()
            try await stores.expectNothingLost(in: stores.target)
            #expect(copied == (try await stores.target.digests()))
            #expect(try await stores.target.examine().violations == [])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `no acknowledged write is missing after the switch`(to engine: TestEngine)
        async throws
    {
        try await CopyScene.run(engine) { stores in
            for _ in 0..<100 { try await stores.crowd.join() }

            let refusals = try await stores.underLoad { _ = try await stores.copy().move(Self.audit) }

            #expect(Set(refusals.map(\.kind)).isSubset(of: [.moved]))
            try await stores.expectEqual()
            try await stores.expectNothingLost(in: stores.target)
            let entries = try await stores.target.examine().tables.first { $0.table == "audit" }?.rows ?? 0
            #expect(entries > 100)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an unnoted change is found before the switch, and the store stays in service`(to engine: TestEngine)
        async throws
    {
        try await CopyScene.run(engine) { stores in
            try await stores.crowd.join()
            try await stores.copy().prepare()
            try RawSQLite(stores.sourcePath).run("DROP TRIGGER capture_insert_sessions")
            let user = try #require(stores.crowd.acknowledged.first?.user)
            _ = try await stores.served.addSession(of: user)

            await #expect(throws: TransferRefusal.tablesDiffer(["sessions"])) {
                _ = try await stores.copy().move(Self.audit)
            }

            _ = try await stores.served.addSession(of: user)
            try await stores.served.ping()
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `interrupted at any moment, it goes on`(to engine: TestEngine) async throws {
        for _ in 0..<Self.rounds {
            try await CopyScene.run(engine) { stores in
                for _ in 0..<60 { try await stores.crowd.join() }
                try await stores.underLoad {
                    for moment in 1...10 {
                        let interruption = Interruption(after: moment)
                        let task = Task { try await stores.copy { _ in interruption.count() }.prepare() }
                        interruption.onCount { task.cancel() }
                        _ = try? await task.value
                    }
                }

                _ = try await stores.copy().move(Self.audit)

                try await stores.expectEqual()
                try await stores.expectNothingLost(in: stores.target)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a moved store refuses every write of every process`(to engine: TestEngine) async throws {
        try await CopyScene.run(engine) { stores in
            let user = try await stores.crowd.join()
            _ = try await stores.copy().move(Self.audit)

            let reading = await failure(StoreError.self) { _ = try await stores.served.user(user) }
            let writing = await failure(StoreError.self) { try await stores.served.addUser() }
            let pinging = await failure(StoreError.self) { try await stores.served.ping() }
            let ignorant = await failure(RawSQLite.Failure.self) {
                try RawSQLite(stores.sourcePath).run("UPDATE users SET epoch = epoch + 1")
            }
            let starting = await failure(StoreError.self) { _ = try await Store.open(sqlite: stores.sourcePath) }

            #expect([reading, writing, pinging, starting].map { $0?.kind } == [.moved, .moved, .moved, .moved])
            #expect(starting?.reason.contains("new") == true)
            #expect(starting?.reason.contains("--rollback") == true)
            #expect(ignorant != nil)
            try await stores.expectTargetServed()
        }
    }

    @Test func `a write the guard let pass is refused by the file`() async throws {
        try await CopyScene.run { stores in
            try await stores.crowd.join()
            _ = try await stores.copy().move(Self.audit)

            // Opened for transfer, a store is not guarded: what refuses are the triggers.
            let refusal = await failure(StoreError.self) { try await stores.source.addUser() }

            #expect(refusal?.kind == .moved)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a partly filled target is not served`(to engine: TestEngine) async throws {
        try await CopyScene.run(engine) { stores in
            try await stores.crowd.join()
            try await stores.copy().prepare()

            let refusal = await stores.refusalOfTarget()

            #expect(refusal?.kind == .unfinished)
            #expect(refusal?.reason.contains("old") == true)
        }
    }
}
