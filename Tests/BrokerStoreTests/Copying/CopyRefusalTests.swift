import BrokerStore
import Dispatch
import Synchronization
import Testing

@Suite("What is not copied")
struct CopyRefusalTests {
    private static let audit = AuditEntry(key: newKey(), at: .noon, actorKind: .admin, event: "store.moving")

    private static func copy(_ source: Store, _ target: Store, _ name: String = "new") -> StoreCopy {
        StoreCopy(from: source, to: target, names: ("old", name), now: { .noon })
    }

    @Test func `a store to itself, which serves on`() async throws {
        try await CopyScene.run { stores in
            try await stores.crowd.join()
            let again = try await Store.open(sqlite: stores.sourcePath, for: .transfer)

            await #expect(throws: TransferRefusal.sameStore) { try await Self.copy(stores.source, again).prepare() }

            await again.close()
            #expect(try await stores.source.transfer(.outgoing) == nil)
            try await stores.crowd.join()
            #expect(try RawSQLite(stores.sourcePath).rows("SELECT 1 FROM sqlite_master WHERE type = 'trigger'") == [])
        }
    }

    @Test func `a store into another that has something in it, and that stays`() async throws {
        try await CopyScene.run { stores in
            try await stores.crowd.join()
            let user = try await stores.target.addUser()

            await #expect(throws: TransferRefusal.targetIsNotEmpty) { try await stores.copy().prepare() }

            #expect(try await stores.target.user(user) == user)
            #expect(try await stores.source.transfer(.outgoing) == nil)
        }
    }

    @Test func `a store that is being copied elsewhere, or into one that another copy is filling`() async throws {
        try await CopyScene.run { stores in
            try await CopyScene.run { others in
                try await stores.copy().prepare()

                await #expect(throws: TransferRefusal.anotherCopy) {
                    try await Self.copy(stores.source, others.target, "elsewhere").prepare()
                }
                await #expect(throws: TransferRefusal.anotherCopy) {
                    try await Self.copy(others.source, stores.target).prepare()
                }

                #expect(try await others.target.transfer(.incoming) == nil)
                #expect(try await others.source.transfer(.outgoing) == nil)
            }
        }
    }

    @Test func `a store that was moved already`() async throws {
        try await CopyScene.run { stores in
            _ = try await stores.copy().move(Self.audit)

            await #expect(throws: TransferRefusal.movedAlready) { _ = try await stores.copy().move(Self.audit) }
        }
    }

    @Test func `a store of which another process copies the rest at this moment`() async throws {
        try await CopyScene.run { stores in
            for _ in 0..<600 { try await stores.crowd.join() }

            let outcomes = await withTaskGroup(of: TransferRefusal?.self) { group in
                for _ in 0..<4 {
                    group.addTask { await failure(TransferRefusal.self) { try await stores.copy().prepare() } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            _ = try await stores.copy().move(Self.audit)

            #expect(outcomes.contains(.continuedElsewhere) || outcomes.contains(.anotherCopy))
            try await stores.expectEqual()
        }
    }

    @Test func `a store whose copy another process went on with, and that one stays`() async throws {
        try await CopyScene.run { stores in
            try await stores.crowd.join()
            let pause = Pause()
            // The first asks for the time when it marks the source, and again before it marks the target.
            let calls = Mutex(0)
            let first = StoreCopy(
                from: stores.source, to: stores.target, names: ("old", "new"),
                now: {
                    if calls.withLock({ calls in
                        calls += 1; return calls
                    }) == 2 {
                        pause.wait()
                    }
                    return .noon
                })

            async let refusal = failure(TransferRefusal.self) {
                try await withTaskExecutorPreference(pause) { try await first.prepare() }
            }
            while try await stores.source.transfer(.outgoing) == nil { await Task.yield() }
            try await stores.copy().prepare()
            pause.end()

            #expect(await refusal == .continuedElsewhere)
            _ = try await stores.copy().move(Self.audit)
            try await stores.expectEqual()
        }
    }
}

/// A place in synchronous code where a task waits, on a thread of its own.
private final class Pause: TaskExecutor {
    private let queue = DispatchQueue(label: "pause")
    private let isOver = DispatchSemaphore(value: 0)

    func wait() { isOver.wait() }

    func end() { isOver.signal() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
