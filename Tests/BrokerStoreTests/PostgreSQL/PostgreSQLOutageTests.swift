import PostgreSQLTesting
import Synchronization
import Testing

@testable import BrokerStore

@Suite("A server that goes and comes back", .timeLimit(.minutes(20)))
struct PostgreSQLOutageTests {
    private static func withServer(
        _ options: PostgreSQLOptions, _ body: (Store, PostgreSQLCluster) async throws -> Void
    ) async throws {
        let server = try await Task.detached { try PostgreSQLCluster(settings: ["shared_buffers=32MB"]) }.value
        let store = try await Store.open(postgreSQL: server.url(of: "postgres"), options: options, now: .noon)
        do {
            try await body(store, server)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Runs `work` until the store is there again.
    private static func eventually<T>(_ work: () async throws -> T) async throws -> T {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while true {
            do {
                return try await work()
            } catch let error as StoreError where error.kind == .unavailable && ContinuousClock.now < deadline {
                await Task.yield()
            }
        }
    }

    @Test func `is missed at once, and is used again without opening anew`() async throws {
        var options = PostgreSQLOptions()
        options.patience = .milliseconds(200)
        try await Self.withServer(options) { store, server in
            for event in [PostgreSQLCluster.Event.stop, .kill] {
                let user = try await store.addUser()
                try await server.apply(event)

                let errors = [
                    await failure(StoreError.self) { try await store.addUser() },
                    await failure(StoreError.self) { _ = try await store.user(user) },
                    await failure(StoreError.self) { try await store.ping() },
                ]
                try await server.apply(.start)

                #expect(errors.map { $0?.kind } == [.unavailable, .unavailable, .unavailable], "\(errors)")
                #expect(try await Self.eventually { try await store.user(user) } == user)
                try await Self.eventually { try await store.addUser() }
            }
        }
    }

    @Test func `loses no acknowledged write, and keeps no refused one`() async throws {
        var options = PostgreSQLOptions()
        options.patience = .milliseconds(200)
        try await Self.withServer(options) { store, server in
            let log = WriteLog()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { log.close() }
                for _ in 0..<8 {
                    group.addTask { while log.isOpen { await log.record(User.sample(), in: store) } }
                }
                for event in [PostgreSQLCluster.Event.kill, .stop] {
                    let count = log.acknowledged.count
                    while log.acknowledged.count < count + 50 { await Task.yield() }
                    try await server.apply(event)
                    try await server.apply(.start)
                }
                log.close()
                try await group.waitForAll()
            }

            try await Self.eventually { try await store.ping() }
            let found = try await store.read { tx in try tx.users(after: nil, limit: 1_000_000) }
            let keys = Set(found.map(\.key))
            #expect(log.acknowledged.isSubset(of: keys))
            #expect(log.refused.isDisjoint(with: keys))
            #expect(log.surprises.isEmpty, "\(log.surprises)")
        }
    }

    @Test func `does not keep a store from being closed, and every caller hears of it`() async throws {
        let server = try await Task.detached { try PostgreSQLCluster(settings: ["shared_buffers=32MB"]) }.value
        let store = try await Store.open(postgreSQL: server.url(of: "postgres"), now: .noon)
        try await store.addUser()
        try await server.apply(.stop)

        let kinds = await withTaskGroup(of: StoreError.Kind?.self) { group in
            for _ in 0..<20 {
                group.addTask { await failure(StoreError.self) { try await store.addUser() }?.kind }
            }
            group.addTask {
                await store.close()
                return .closed
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(kinds.isSubset(of: [.closed, .unavailable]), "\(kinds)")
    }
}

/// What became of the writes of several tasks.
private final class WriteLog: Sendable {
    private struct State {
        var isOpen = true
        var acknowledged: Set<Int64> = []
        var refused: Set<Int64> = []
        var surprises: [String] = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }
    var acknowledged: Set<Int64> { state.withLock { $0.acknowledged } }
    /// What certainly was not written.
    var refused: Set<Int64> { state.withLock { $0.refused } }
    var surprises: [String] { state.withLock { $0.surprises } }

    func close() { state.withLock { $0.isOpen = false } }

    func record(_ user: User, in store: Store) async {
        do {
            try await store.addUser(user)
            state.withLock { _ = $0.acknowledged.insert(user.key) }
        } catch let error as StoreError where error.kind == .outcomeUnknown {
            // It may be there, or not.
        } catch let error as StoreError where error.kind == .unavailable {
            state.withLock { _ = $0.refused.insert(user.key) }
            // The server needs a processor as well.
            try? await Task.sleep(for: .milliseconds(5))
        } catch {
            state.withLock { $0.surprises.append("\(error)") }
        }
    }
}
