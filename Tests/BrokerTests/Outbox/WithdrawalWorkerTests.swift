import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("revoking queued grants")
struct WithdrawalWorkerTests {
    /// A deleted user whose grant is queued, with the token.
    private static func deleteUser(_ broker: TestBroker) async throws -> (session: Answer, token: String) {
        let session = try await broker.signIn(broker.person("ada"))
        let token = try #require(try await broker.storedTokens(of: session).first)
        _ = try await broker.delete(session)
        return (session, token)
    }

    @Test(arguments: [
        SimulatorFault.status(503), .rateLimited(status: 429, retryAfter: 7200), .closeConnection, .lostAnswer,
    ])
    func `a provider that is down for a day revokes it in the end`(fault: SimulatorFault) async throws {
        try await TestBroker.run { broker in
            let (_, token) = try await Self.deleteUser(broker)
            let worker = broker.withdrawalWorker()
            broker.simulator.fail(.deleteGrant, with: fault)

            for _ in 0..<24 {
                try await worker.turn()
                #expect(try await broker.withdrawal().state == .queued)
                broker.clock.advance(seconds: 3600)
            }
            let failed = try await broker.withdrawal()
            broker.simulator.clearFaults()
            broker.clock.advance(seconds: 7200)
            try await worker.turn()

            #expect(failed.reason != nil && failed.sealedGrant != nil && (10...24).contains(failed.attempts))
            let row = try await broker.withdrawal()
            #expect(row.state == .done && row.reason == nil && row.sealedGrant == nil)
            #expect(!broker.simulator.isLive(token: token))
        }
    }

    @Test func `waits grow, and the provider's own wait is respected`() async throws {
        try await TestBroker.run { broker in
            _ = try await Self.deleteUser(broker)
            let worker = broker.withdrawalWorker()
            broker.simulator.fail(.deleteGrant, with: .status(500))

            try await worker.turn()
            let first = try #require(try await broker.withdrawal().nextAttemptAt)
            #expect(try await worker.turn() == 0, "attempted again before it was due")
            broker.simulator.clearFaults()
            broker.simulator.fail(.deleteGrant, with: .rateLimited(status: 429, retryAfter: 5000))
            broker.clock.advance(seconds: 31)
            try await worker.turn()
            let second = try #require(try await broker.withdrawal().nextAttemptAt)

            #expect((15_000...30_000).contains(first.milliseconds - Timestamp(broker.clock.now).milliseconds + 31_000))
            #expect(second >= Timestamp(broker.clock.now).advanced(by: .seconds(5000)))
        }
    }

    @Test func `a fault of ours parks it, and an operator retries it`() async throws {
        try await TestBroker.run { broker in
            let (session, token) = try await Self.deleteUser(broker)
            let worker = broker.withdrawalWorker()
            broker.simulator.fail(.deleteGrant, with: .status(401))

            try await worker.turn()
            let parked = try await broker.withdrawal()
            broker.clock.advance(seconds: 86_400)
            #expect(try await worker.turn() == 0)
            broker.simulator.clearFaults()
            let change = try await broker.core.outbox.withdrawals.retry(
                parked.id, origin: Origin(.admin, actor: "test"))
            try await worker.turn()

            #expect(parked.state == .parked && parked.reason?.contains("refused our client") == true)
            guard case .done(let retried) = change else { throw TestFailure("not retried") }
            #expect(retried.state == .queued)
            #expect(try await broker.withdrawal().state == .done && !broker.simulator.isLive(token: token))
            let events = try await broker.events(of: session.string("localId"))
            #expect(events.prefix(3) == ["withdrawal.done", "withdrawal.retried", "withdrawal.parked"])
        }
    }

    @Test func `an operator drops it, which erases the tokens for good`() async throws {
        try await TestBroker.run { broker in
            let (session, token) = try await Self.deleteUser(broker)
            let id = try await broker.withdrawal().id
            let origin = Origin(.admin, actor: "test")

            let change = try await broker.core.outbox.withdrawals.drop(id, origin: origin)
            let attempts = try await broker.withdrawalWorker().turn()

            guard case .done(let dropped) = change else { throw TestFailure("not dropped") }
            #expect(dropped.state == .dropped && dropped.sealedGrant == nil)
            #expect(attempts == 0 && broker.simulator.isLive(token: token))
            #expect(try await broker.core.outbox.withdrawals.retry(id, origin: origin) == .tooLate(dropped))
            #expect(try await broker.core.outbox.withdrawals.drop("none", origin: origin) == .notFound)
            #expect(try await broker.events(of: session.string("localId")).first == "withdrawal.dropped")
        }
    }

    @Test(arguments: [SimulatorFault.status(500), .status(401)])
    func `what still fails after the configured time is dead, and can be retried for 30 days`(
        fault: SimulatorFault
    ) async throws {
        try await TestBroker.run { broker in
            let (session, token) = try await Self.deleteUser(broker)
            let worker = broker.withdrawalWorker(days: 2)
            broker.simulator.fail(.deleteGrant, with: fault)
            try await worker.turn()

            broker.clock.advance(seconds: 2 * 86_400)
            try await worker.turn()
            let dead = try await broker.withdrawal()
            broker.clock.advance(seconds: 29 * 86_400)
            #expect(try await worker.turn() == 0)
            var keeper = Self.housekeeping(of: broker)
            guard case .done(let removed) = try await keeper.turn() else { throw TestFailure("no housekeeping") }
            broker.simulator.clearFaults()
            _ = try await broker.core.outbox.withdrawals.retry(dead.id, origin: Origin(.admin, actor: "test"))
            try await worker.turn()

            #expect(dead.state == .dead && dead.sealedGrant != nil && removed.withdrawals == 0)
            #expect(try await broker.events(of: session.string("localId")).contains("withdrawal.dead"))
            #expect(try await broker.withdrawal().state == .done && !broker.simulator.isLive(token: token))
        }
    }

    @Test func `housekeeping removes ended withdrawals after 30 days, with the grants of dead ones`() async throws {
        try await TestBroker.run { broker in
            _ = try await Self.deleteUser(broker)
            broker.simulator.fail(.deleteGrant, with: .status(500))
            let worker = broker.withdrawalWorker(days: 1)
            broker.clock.advance(seconds: 86_400)
            try await worker.turn()
            broker.simulator.clearFaults()
            _ = try await Self.deleteUser(broker)
            try await worker.turn()
            _ = try await Self.deleteUser(broker)
            let last = try #require(try await broker.withdrawals().last)
            _ = try await broker.core.outbox.withdrawals.drop(last.id, origin: Origin(.admin, actor: "test"))
            #expect(try await broker.withdrawals().map(\.state) == [.dead, .done, .dropped])

            broker.clock.advance(seconds: 30 * 86_400 + 1)
            _ = try await Self.deleteUser(broker)
            var keeper = Self.housekeeping(of: broker)
            guard case .done(let removed) = try await keeper.turn() else { throw TestFailure("no housekeeping") }

            #expect(removed.withdrawals == 3)
            #expect(try await broker.withdrawals().map(\.state) == [.queued])
        }
    }

    private static func housekeeping(of broker: TestBroker) -> Housekeeping {
        Housekeeping(broker.core.accounts, records: broker.core.configuration.retention)
    }

    @Test func `another client or instance in the entry is sent no token`() async throws {
        try await TestBroker.run { broker in
            let (_, token) = try await Self.deleteUser(broker)
            let requests = broker.simulator.hits(.deleteGrant)

            let application = broker.simulator.application(of: "github.other")
            try await Self.attempt(
                [TestBroker.gitHub(broker.simulator, application: application)], broker, expecting: "another client")
            let other = try await GitHubSimulator.start()
            try await Self.attempt([TestBroker.gitHub(other)], broker, expecting: "another instance")
            #expect(other.hits(.deleteGrant) == 0)
            await other.stop()
            try await Self.attempt([], broker, expecting: "no enabled entry")

            #expect(broker.simulator.hits(.deleteGrant) == requests && broker.simulator.isLive(token: token))
        }
    }

    /// One attempt by a broker with other entries, which parks the withdrawal.
    private static func attempt(
        _ entries: [JSONValue], _ broker: TestBroker, expecting reason: String
    ) async throws {
        try broker.folder.write("plugins.json", JSONValue.object(["providers": .array(entries)]).serialized())
        let id = try await broker.withdrawal().id
        _ = try await broker.core.outbox.withdrawals.retry(id, origin: Origin(.admin, actor: "test"))
        _ = try await broker.withSecondCore { core in
            try await WithdrawalWorker(core.outbox.withdrawals, lifetime: .seconds(86_400)).turn()
        }
        let row = try await broker.withdrawal()
        #expect(row.state == .parked && row.reason?.contains(reason) == true, "\(row.reason ?? "no reason")")
    }

    @Test func `several brokers on one store revoke each grant once`() async throws {
        try await TestBroker.run { broker in
            let users = 40
            for number in 0..<users {
                let person = broker.simulator.add(.init(login: "leaver\(number)"))
                _ = try await broker.delete(broker.signIn(person))
            }

            try await broker.withSecondCore { second in
                let workers = [broker.core, second, broker.core].map {
                    WithdrawalWorker($0.outbox.withdrawals, lifetime: .seconds(86_400))
                }
                try await withThrowingTaskGroup { group in
                    for worker in workers { group.addTask { try await worker.turn() } }
                    try await group.waitForAll()
                }
            }

            let rows = try await broker.withdrawals()
            #expect(rows.count == users && rows.allSatisfy { $0.state == .done && $0.attempts == 1 })
            #expect(broker.simulator.hits(.deleteGrant) == users)
        }
    }

    @Test func `a claim of a killed broker runs out, and the next one finishes its work`() async throws {
        try await TestBroker.run { broker in
            let (_, token) = try await Self.deleteUser(broker)
            let now = Timestamp(broker.clock.now)
            let claim = QueueClaim(holder: "killed", until: now.advanced(by: WithdrawalWorker.claimDuration))
            let claimed = try await broker.core.store.claim(
                Withdrawal.self, by: claim, of: "github.com", limit: 8, at: now)

            #expect(try await broker.withdrawalWorker().turn() == 0)
            broker.clock.advance(seconds: 31)
            #expect(try await broker.withdrawalWorker().turn() == 1)
            let isSettled = try await broker.core.store.write(at: now) { transaction in
                try transaction.settle(claimed[0], as: .queued, reason: "late", nextAttempt: now, at: now)
            }

            #expect(!isSettled, "a lost claim wrote its result")
            #expect(try await broker.withdrawal().state == .done && !broker.simulator.isLive(token: token))
        }
    }
}
