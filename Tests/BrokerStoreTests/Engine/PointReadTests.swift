import Dispatch
import Foundation
import PostgreSQLTesting
import Synchronization
import Testing

@testable import BrokerStore

@Suite("Point reads")
struct PointReadTests {
    private struct Refusal: Error {}

    @Test(arguments: TestEngine.allCases)
    func `answer as reads do`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()

            let found = try await store.pointRead { tx in try tx.user(key: user.key) }
            let absent = try await store.pointRead { tx in try tx.user(key: user.key + 1) }
            let refusal = await failure(Refusal.self) { _ = try await store.pointRead { _ in throw Refusal() } }
            let writing = await failure(StoreError.self) {
                _ = try await store.pointRead { tx in try tx.insert(User.sample()) }
            }

            #expect(found == user)
            #expect(absent == nil)
            #expect(refusal != nil)
            #expect(writing?.kind == .readOnly)
        }
    }

    @Test func `run on the calling thread`() async throws {
        try await withStore { store in
            let caller = pthread_self()

            let isSame = try await store.pointRead { _ in pthread_equal(pthread_self(), caller) != 0 }

            #expect(isSame)
        }
    }

    @Test func `move to a thread of the store when they take long`() async throws {
        let long = Statement(
            "long",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n")
        try await withStore { store in
            let runs = Mutex(0)

            let count = try await store.pointRead { tx in
                runs.withLock { $0 += 1 }
                return try tx.value(long) { row throws(StoreError) in try row.integer() }
            }

            #expect(count == 100_000)
            #expect(runs.withLock(\.self) == 2)
        }
    }

    @Test func `run once each, however often`() async throws {
        try await withStore { store in
            let user = try await store.addUser()
            let runs = Mutex(0)

            for _ in 0..<2000 {
                _ = try await store.pointRead { tx in
                    runs.withLock { $0 += 1 }
                    return try tx.user(key: user.key)
                }
            }

            #expect(runs.withLock(\.self) == 2000)
        }
    }

    @Test func `wait for a connection off the calling thread`() async throws {
        var options = SQLiteOptions()
        options.readers = 1
        try await withStore(options) { store in
            let user = try await store.addUser()
            let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let reading: Void = store.read { _ in
                isReading.signal()
                mayEnd.wait()
            }
            await Task.detached { isReading.wait() }.value
            async let found = store.pointRead { tx in try tx.user(key: user.key) }
            await Task.yield()

            mayEnd.signal()

            try await reading
            #expect(try await found == user)
        }
    }

    @Test func `are left to the store's threads for a while when the disk is slow`() {
        let pace = PointReadPace()
        let now = DispatchTime.now().uptimeNanoseconds
        func read(taking nanoseconds: UInt64) { pace.learn(from: now - nanoseconds, to: now) }

        for _ in 0..<100 { read(taking: 50_000) }
        read(taking: 4_000_000)
        #expect(pace.measuring { true } == true && !pace.isPaused)

        for _ in 0..<10 { read(taking: 4_000_000) }
        #expect(pace.measuring { true } == nil && pace.isPaused)
    }
}
