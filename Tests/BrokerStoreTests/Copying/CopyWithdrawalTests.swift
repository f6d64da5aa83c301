import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Taking a copy back")
struct CopyWithdrawalTests {
    private static let audit = AuditEntry(key: newKey(), at: .noon, actorKind: .admin, event: "store.moving")

    private static func expectUntouched(_ stores: CopyScene) async throws {
        #expect(try await stores.isTargetEmpty())
        #expect(try await stores.target.transfer(.incoming) == nil)
        #expect(try await stores.source.transfer(.outgoing) == nil)
        let left = "SELECT name FROM sqlite_master WHERE type = 'trigger' OR name LIKE 'captured%'"
        #expect(try RawSQLite(stores.sourcePath).rows(left) == [])
        try await stores.served.ping()
        try await stores.crowd.join()
        try await stores.expectNothingLost(in: stores.served)
    }

    @Test(arguments: TestEngine.allCases)
    func `before the switch leaves nothing behind`(to engine: TestEngine) async throws {
        try await CopyScene.run(engine) { stores in
            for _ in 0..<30 { try await stores.crowd.join() }
            try await stores.underLoad { try await stores.copy().prepare() }

            try await stores.copy().takeBack()

            try await Self.expectUntouched(stores)
            try await stores.copy().prepare()
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `after the switch brings the old store back, if nothing has happened since`(to engine: TestEngine) async throws
    {
        try await CopyScene.run(engine) { stores in
            for _ in 0..<30 { try await stores.crowd.join() }
            _ = try await stores.copy().move(Self.audit)
            try await stores.expectTargetServed()

            try await stores.copy().takeBack()

            try await Self.expectUntouched(stores)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `after the switch is refused once the new store has changed, and changes nothing`(to engine: TestEngine)
        async throws
    {
        try await CopyScene.run(engine) { stores in
            try await stores.crowd.join()
            _ = try await stores.copy().move(Self.audit)
            let user = try await stores.target.addUser()
            _ = try await stores.target.addSession(of: user)

            await #expect(throws: TransferRefusal.tablesDiffer(["users", "sessions", "user_words"])) {
                try await stores.copy().takeBack()
            }

            try await stores.expectTargetServed()
            let refusal = await failure(StoreError.self) { try await stores.served.ping() }
            #expect(refusal?.kind == .moved)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `interrupted at any moment, it goes on`(to engine: TestEngine) async throws {
        try await CopyScene.run(engine) { stores in
            for _ in 0..<30 { try await stores.crowd.join() }
            _ = try await stores.copy().move(Self.audit)

            for moment in 1...6 {
                let interruption = Interruption(after: moment)
                let task = Task {
                    try await stores.copy { if $0.work == .removing { interruption.count() } }.takeBack()
                }
                interruption.onCount { task.cancel() }
                _ = try? await task.value
            }
            _ = await failure(TransferRefusal.self) { try await stores.copy().takeBack() }

            try await Self.expectUntouched(stores)
        }
    }

    @Test func `works without the target, if that was never served`() async throws {
        try await CopyScene.run { stores in
            try await stores.crowd.join()
            try await stores.copy().prepare()
            let folder = try TemporaryFolder()
            let empty = try await Store.open(sqlite: folder.file("empty"), for: .transfer)

            try await StoreCopy(from: stores.source, to: empty, names: ("old", "new"), now: { .noon }).takeBack()

            await empty.close()
            #expect(try await stores.source.transfer(.outgoing) == nil)
            try await stores.served.ping()
        }
    }

    @Test func `where there is none is refused`() async throws {
        try await CopyScene.run { stores in
            let user = try await stores.target.addUser()

            await #expect(throws: TransferRefusal.notMoving) { try await stores.copy().takeBack() }

            #expect(try await stores.target.user(user) != nil)
        }
    }

    @Test func `does not touch a store the copy does not go to`() async throws {
        try await CopyScene.run { stores in
            try await CopyScene.run { others in
                let user = try await others.target.addUser()
                _ = try await stores.copy().move(Self.audit)
                let wrong = StoreCopy(
                    from: stores.source, to: others.target, names: ("old", "elsewhere"), now: { .noon })

                await #expect(throws: TransferRefusal.anotherCopy) { try await wrong.takeBack() }

                #expect(try await others.target.user(user) != nil)
            }
        }
    }
}
