import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@testable import Broker

@Suite("a recipient that hangs", .timeLimit(.minutes(20)))
struct SlowRecipientTests {
    @Test func `a provider that hangs holds up no other's withdrawals, also those queued meanwhile`() async throws {
        try await TestProviders.run { broker, providers in
            let gate = SimulatorGate()
            providers.gitHub.fail(.deleteGrant, with: .hold(at: gate))
            for number in 0..<40 {
                _ = try await broker.delete(broker.signIn(providers.gitHub.add(.init(login: "leaver\(number)"))))
            }
            try await Self.deleteUser(of: "gitlab.com", broker, providers)
            let worker = WithdrawalWorker(
                broker.core.outbox.withdrawals, lifetime: .seconds(86_400), interval: .milliseconds(10))
            let turn = Task { try await worker.turn() }
            await gate.arrivals(WithdrawalWorker.batch)
            try await Self.untilDone(1, at: "gitlab.com", broker)

            try await Self.deleteUser(of: "gitlab.com", broker, providers)
            try await Self.deleteUser(of: "1pass.dev", broker, providers)
            try await Self.untilDone(2, at: "gitlab.com", broker)
            try await Self.untilDone(1, at: "1pass.dev", broker)

            // Most of GitHub's still wait for the first ones.
            let hanging = try await broker.withdrawals().filter { $0.provider == "github.com" }
            #expect(hanging.count == 40 && hanging.allSatisfy { $0.state == .queued })
            #expect(hanging.count { $0.reason == nil } > WithdrawalWorker.batch)
            providers.gitHub.clearFaults()
            gate.open()
            #expect(try await turn.value == 43)
        }
    }

    @Test func `a task that takes its time holds up no other recipient, also one that becomes due meanwhile`()
        async throws
    {
        let (slowEnds, endSlow) = AsyncStream.makeStream(of: Void.self)
        let (served, serve) = AsyncStream.makeStream(of: String.self)
        let queue = Mutex(["slow", "first"])
        let turn = QueueTurn<String>(interval: .milliseconds(1), width: 2) {
            queue.withLock(\.self)
        } serve: { recipient in
            queue.withLock { $0.removeAll { $0 == recipient } }
            if recipient == "slow" { _ = await slowEnds.first { _ in true } }
            serve.yield(recipient)
            return .init(attempts: 1, mayHaveMore: false)
        }
        let running = Task { try await turn.run() }
        var order = served.makeAsyncIterator()

        let first = await order.next()
        // The other place is still taken.
        queue.withLock { $0 = ["second", "third"] }
        let second = await order.next()
        let third = await order.next()
        endSlow.yield()
        let last = await order.next()

        #expect(first == "first" && Set([second, third]) == ["second", "third"] && last == "slow")
        #expect(try await running.value == 4)
    }

    /// Signs a new user in and deletes the account, which queues a withdrawal.
    private static func deleteUser(
        of provider: String, _ broker: TestBroker, _ providers: TestProviders
    ) async throws {
        let person = try providers.person(at: provider, email: "\(RandomText.alphanumeric(12))@example.com")
        _ = try await broker.delete(broker.signIn(person))
    }

    private static func untilDone(_ count: Int, at provider: String, _ broker: TestBroker) async throws {
        while try await broker.withdrawals().count(where: { $0.provider == provider && $0.state == .done }) < count {
            await Task.yield()
        }
    }
}
