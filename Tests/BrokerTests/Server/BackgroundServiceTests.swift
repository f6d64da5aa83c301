import Broker
import Foundation
import GitHub
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import BrokerStore

@Suite("what a running server does by itself")
struct BackgroundServiceTests {
    /// Again and again, as fast as it goes.
    private static var restless: BackgroundIntervals {
        var intervals = BackgroundIntervals()
        intervals.signingKeys = .milliseconds(5)
        intervals.providers = .milliseconds(5)
        intervals.housekeeping = .milliseconds(5)
        intervals.readiness = .milliseconds(5)
        return intervals
    }

    /// A second broker on the first one's store, served with a life of its own.
    private static func withRestlessBroker(_ test: (TestBroker, TestBroker) async throws -> Void) async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { core in
                try await TestBroker.serve(core, intervals: restless) { url in
                    try await test(
                        broker,
                        TestBroker(
                            core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator,
                            clock: broker.clock, folder: broker.folder))
                }
            }
        }
    }

    @Test func `it follows a rotation of another process`() async throws {
        try await Self.withRestlessBroker { broker, running in
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))

            // The suite's time is the only limit: each look is a request.
            while try await running.publishedKeyIDs().count != 2 {}
        }
    }

    @Test func `it follows plugins json`() async throws {
        try await Self.withRestlessBroker { broker, running in
            try broker.folder.write(
                "plugins.json",
                JSONValue.object(["providers": [TestBroker.gitHub(broker.simulator, id: "github.work")]]).serialized())

            while try await running.signIn(broker.person("ada"), provider: "github.work").status != 200 {}
            #expect(try await running.signIn(broker.person("ada")).code == "OPERATION_NOT_ALLOWED")
        }
    }

    @Test func `readiness is what the last probe of the store found`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { core in
                try await TestBroker.serve(core) { url in
                    let running = TestBroker(
                        core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator, clock: broker.clock,
                        folder: broker.folder)
                    let before = try await running.get("/readyz")

                    await core.store.close()

                    let after = try await running.get("/readyz")
                    #expect(before.status == 200)
                    #expect(after.status == 200, "a request asks the store nothing")
                }
            }
        }
    }

    @Test func `it probes the store, and is not ready when that takes no writes`() async throws {
        try await Self.withRestlessBroker { _, running in
            await running.core.store.close()

            while try await running.get("/readyz").status != 503 {}
            #expect(try await running.get("/healthz").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `it is ready as soon as the store takes writes again, whatever its usual interval`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { core in
                let lock = StoreLock(broker.core.store)
                // Whatever fails here, the store's thread goes on.
                defer { lock.end() }
                await lock.acquired()
                // The probe at the start fails; the next one of a broker that is ready would come a day later.
                try await TestBroker.serve(core) { url in
                    let running = TestBroker(
                        core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator,
                        clock: broker.clock, folder: broker.folder)
                    #expect(try await running.get("/readyz").status == 503)

                    try await lock.release()

                    while try await running.get("/readyz").status != 200 {}
                }
            }
        }
    }

    @Test func `it keeps the store in order, and leaves that to others when it stops`() async throws {
        try await TestBroker.run { broker in
            let now = broker.clock.now
            let past = Timestamp(now.addingTimeInterval(-4 * 86_400))
            let token = PendingToken(
                key: broker.core.store.keys.next(at: now), tokenHash: Array(RandomText.alphanumeric(32).utf8),
                sealedEvidence: [1], createdAt: past, expiresAt: past.advanced(by: .seconds(3600)), authTime: 0)
            try await broker.core.store.write { try $0.insert(token) }

            try await broker.withSecondCore { core in
                try await TestBroker.serve(core, intervals: Self.restless) { _ in
                    while try await core.store.read({ try $0.pendingToken(hash: token.tokenHash, at: past) }) != nil {}
                }
            }

            let lease = try await broker.core.store.read { try $0.lease(named: "housekeeping") }
            #expect(lease?.expiresAt == Timestamp(now), "given back, not to be waited for")
        }
    }
}

/// A transaction that no other process on the store can probe beside.
private final class StoreLock: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let transaction: Task<Void, any Error>
    private let (begun, begin) = AsyncStream.makeStream(of: Void.self)

    init(_ store: Store) {
        let (semaphore, begin) = (semaphore, begin)
        transaction = Task {
            try await store.write { transaction in
                try transaction.run(LeaseRow.touch)
                begin.yield()
                semaphore.wait()
                // The closure may run again.
                semaphore.signal()
            }
        }
    }

    func acquired() async { _ = await begun.first { _ in true } }

    /// Ends the transaction; further calls do nothing.
    func end() { semaphore.signal() }

    func release() async throws {
        end()
        try await transaction.value
    }
}
