import BrokerStore
import PostgreSQLTesting
import Testing

/// A store in use, and an empty one to which another process copies it.
struct CopyScene: Sendable {
    /// As a broker has it open.
    let served: Store
    /// As the one who copies has it open.
    let source: Store
    let target: Store
    let crowd: Crowd
    let sourcePath: String
    let pace = Pace()
    /// Opens the target once more.
    let openTarget: @Sendable (Store.Access) async throws -> Store

    static func run(
        _ engine: TestEngine = .sqlite, _ body: (CopyScene) async throws -> Void
    ) async throws {
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            try await run(body) { try await Store.open(sqlite: folder.file("target.sqlite"), for: $0) }
        case .postgreSQL:
            let url = try await PostgreSQLServer.shared.newDatabase()
            let result: Result<Void, any Error>
            do {
                result = .success(try await run(body) { try await Store.open(postgreSQL: url, for: $0) })
            } catch {
                result = .failure(error)
            }
            try await PostgreSQLServer.shared.drop(url)
            try result.get()
        }
    }

    private static func run(
        _ body: (CopyScene) async throws -> Void,
        openTarget: @escaping @Sendable (Store.Access) async throws -> Store
    ) async throws {
        try await withStoreFile { served, sourcePath in
            let source = try await Store.open(sqlite: sourcePath, for: .transfer)
            let target = try await openTarget(.transfer)
            do {
                try await body(
                    CopyScene(
                        served: served, source: source, target: target, crowd: Crowd(of: served),
                        sourcePath: sourcePath, openTarget: openTarget))
            } catch {
                await source.close()
                await target.close()
                throw error
            }
            await source.close()
            await target.close()
        }
    }

    func copy(_ report: @escaping @Sendable (StoreProgress) -> Void = { _ in }) -> StoreCopy {
        StoreCopy(from: source, to: target, names: ("old", "new"), now: { .noon }) { progress in
            pace.advance()
            report(progress)
        }
    }

    /// Runs users' actions in four tasks until `work` has ended.
    ///
    /// - Returns: Why some of them were refused.
    @discardableResult
    func underLoad(
        _ rhythm: Pace.Rhythm = .withTheCopy, _ work: @Sendable () async throws -> Void
    ) async throws -> [StoreError] {
        try await withThrowingTaskGroup(of: [StoreError].self) { group in
            for _ in 0..<4 {
                let turns = pace.turns(rhythm)
                group.addTask {
                    var refusals: [StoreError] = []
                    for await _ in turns {
                        do { try await crowd.act() } catch let error as StoreError { refusals.append(error) }
                    }
                    return refusals
                }
            }
            defer { pace.end() }
            try await work()
            pace.end()
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Checks that every acknowledged user and session is in `store`.
    func expectNothingLost(in store: Store) async throws {
        for one in crowd.acknowledged {
            let found = try await store.read { tx in
                (user: try tx.user(key: one.user.key), sessions: try tx.sessions(of: one.user.key))
            }
            #expect(found.user?.localID == one.user.localID)
            for session in one.sessions {
                let copied = found.sessions.first { $0.key == session.key }
                #expect(copied?.generation ?? -1 >= session.generation)
            }
        }
    }

    func expectEqual() async throws {
        let digests = try await source.digests()
        #expect(digests.differing(from: try await target.digests()) == [])
        #expect(digests.reduce(0) { $0 + $1.rows } > 0)
    }

    func isTargetEmpty() async throws -> Bool {
        try await target.digests().allSatisfy { $0.rows == 0 }
    }

    /// A broker can start on the target.
    func expectTargetServed() async throws {
        let store = try await openTarget(.service)
        try await store.ping()
        await store.close()
    }

    /// Why no broker can start on the target.
    func refusalOfTarget() async -> StoreError? {
        await failure(StoreError.self) { await (try openTarget(.service)).close() }
    }
}
