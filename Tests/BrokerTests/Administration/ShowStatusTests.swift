import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("the state of the providers, the queues and the brokers")
struct ShowStatusTests {
    private static func status(_ broker: TestBroker, check: Bool? = nil) async throws -> ShowStatus.Answer {
        try await ShowStatus(check: check).run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
    }

    private static func provider(
        _ id: String, _ broker: TestBroker, check: Bool? = nil
    ) async throws -> ShowStatus.Provider {
        try #require(try await status(broker, check: check).providers.first { $0.id == id })
    }

    @Test func `each running broker stands there with its host and version until it has stopped`() async throws {
        try await TestBroker.run { broker in
            var (first, second) = (MasterKeyWatch(broker.core.stored), MasterKeyWatch(broker.core.stored))
            try await first.turn()
            broker.clock.advance(seconds: 20)
            let seenAt = broker.core.now
            try await second.turn()
            let both = try await Self.status(broker)

            #expect(both.version == BrokerVersion.current && both.now == seenAt)
            #expect(Set(both.brokers.map(\.id)).count == 2)
            #expect(both.brokers.allSatisfy { $0.version == BrokerVersion.current && $0.host?.isEmpty == false })
            #expect(Set(both.brokers.map(\.seenAt)) == [seenAt, seenAt.advanced(by: .seconds(-20))])

            // One has stopped, the other is silent for a minute.
            try await first.end()
            let one = try await Self.status(broker)
            #expect(one.brokers.map(\.seenAt) == [seenAt])
            broker.clock.advance(seconds: 60)
            #expect(try await Self.status(broker).brokers.isEmpty)
        }
    }

    @Test func `a broker of an earlier release has no version`() async throws {
        try await TestBroker.run { broker in
            let now = broker.core.now
            try await broker.core.store.write(at: now) { transaction in
                try transaction.put(
                    KeyHolder(holder: "earlier", keyIDs: ["k"], sealing: "k", seenAt: now, version: nil, host: nil),
                    forgettingSilentSince: Timestamp(milliseconds: 0))
            }
            let shown = try #require(try await Self.status(broker).brokers.first)
            #expect(shown.id == "earlier" && shown.version == nil && shown.host == nil && shown.seenAt == now)
        }
    }

    @Test func `what waits is counted by its state, and what needs an administrator fails the command`() async throws {
        try await TestBroker.run(entries: { _ in [] }) { broker in
            let empty = try await Self.status(broker)
            #expect(empty.queues.waiting == 0 && !ShowStatus().isFailure(empty))

            let withdrawals: [Withdrawal.State] = [.queued, .parked, .parked, .dead, .dead, .dead, .done, .dropped]
            let deliveries: [EventDelivery.State] = [.queued, .queued, .dead, .delivered, .dropped]
            try await broker.core.store.write(at: broker.core.now) { transaction in
                for (number, state) in withdrawals.enumerated() {
                    var row = Withdrawal(
                        key: transaction.nextKey(), id: "withdrawal-\(number)",
                        identity: IdentityKey(provider: "github.com", issuer: "https://github.com", subject: "1"),
                        subjectHash: "hash", clientID: "client", tokenHint: .accessToken, cause: .revoke,
                        sealedGrant: [1], createdAt: transaction.now)
                    row.progress.state = state
                    if [.done, .dropped].contains(state) { row.sealedGrant = nil }
                    if ![.queued, .parked].contains(state) {
                        (row.progress.nextAttemptAt, row.progress.endedAt) = (nil, transaction.now)
                    }
                    try transaction.insert(row)
                }
                for (number, state) in deliveries.enumerated() {
                    var row = EventDelivery(
                        key: transaction.nextKey(), eventID: "event-\(number)", target: .webhook("webhook"),
                        type: "user.created", localID: "user", sequence: Int64(number) + 1,
                        occurredAt: transaction.now, data: "{}")
                    row.progress.state = state
                    if state != .queued {
                        (row.progress.nextAttemptAt, row.progress.endedAt) = (nil, transaction.now)
                    }
                    try transaction.insert(row)
                }
                var keys: [Int64] = []
                for number in 0..<3 {
                    let user = User(
                        key: transaction.nextKey(), localID: "user-\(number)", createdAt: transaction.now)
                    _ = try transaction.insert(user)
                    keys.append(user.key)
                }
                for (number, other) in keys.dropFirst().enumerated() {
                    _ = try transaction.insert(
                        PendingMerge(
                            key: transaction.nextKey(), id: "merge-\(number)", survivorKey: keys[0],
                            absorbedKey: other, provider: "github.com", createdAt: transaction.now,
                            dismissedAt: number == 0 ? nil : transaction.now))
                }
            }

            let status = try await Self.status(broker)
            let queues = status.queues
            #expect(queues.withdrawals == 1 && queues.parkedWithdrawals == 2 && queues.deadWithdrawals == 3)
            #expect(queues.deliveries == 2 && queues.deadDeliveries == 1 && queues.merges == 1)
            #expect(queues.waiting == 7 && ShowStatus().isFailure(status))
            let text = ShowStatus().text(of: status).description
            #expect(text.contains("1 queued, 2 parked, 3 dead") && text.contains("2 queued, 1 dead"), "\(text)")
        }
    }

    @Test func `the findings of doctor come with their cause and remedy`() async throws {
        try await TestBroker.run(entries: { _ in [] }) { broker in
            let before = try await Self.status(broker)
            let found = try #require(before.findings.first { $0.code == "no-provider" })
            #expect(found.isWarning && !found.cause.isEmpty && !found.remedy.isEmpty)
            #expect(before.providers.isEmpty && !ShowStatus().isFailure(before), "\(before.findings)")

            let late = broker.core.now.advanced(by: .seconds(7200))
            _ = try await broker.core.store.write(at: late) {
                try $0.acquire(Lease(name: Lease.housekeeping, holder: "other", duration: Lease.longest), at: late)
            }
            let after = try await Self.status(broker)
            let clock = try #require(after.findings.first { $0.code == "clock-differs" })
            #expect(!clock.isWarning && ShowStatus().isFailure(after))
            let text = ShowStatus().text(of: after).description
            #expect(text.contains("[clock-differs]") && text.contains(clock.remedy) && text.contains("No providers."))
        }
    }

    @Test func `a provider is asked once in five minutes, or when a check is asked for`() async throws {
        try await TestProviders.run { broker, providers in
            func provider(check: Bool? = nil) async throws -> ShowStatus.Provider {
                try await Self.provider("gitlab.com", broker, check: check)
            }
            let checks = { providers.gitLab.hits(.discovery) }
            let first = try await provider()
            let asked = checks()
            #expect(first.state == .works && first.checkedAt == broker.core.now && asked > 0, "\(first)")

            providers.gitLab.fail(.discovery, with: .htmlInsteadOfJSON)
            providers.advance(299, with: broker)
            let known = try await provider()
            #expect(known.state == .works && known.checkedAt == first.checkedAt && checks() == asked)

            let checked = try await provider(check: true)
            #expect(checked.state == .fails && checked.checkedAt == broker.core.now && checks() > asked)
            #expect(checked.text?.isEmpty == false && checked.fix?.isEmpty == false && checked.needsAdministrator)

            // The check that was asked for counts for five minutes too.
            let again = checks()
            providers.advance(299, with: broker)
            #expect(try await provider().checkedAt == checked.checkedAt)
            #expect(checks() == again)
            providers.advance(1, with: broker)
            #expect(try await provider().checkedAt == broker.core.now)
        }
    }

    @Test func `an entry that is off is not asked`() async throws {
        try await TestBroker.run(entries: { simulator in
            var entry = TestBroker.gitHub(simulator).object ?? JSONObject()
            entry["enabled"] = false
            return [.object(entry)]
        }) { broker in
            let shown = try await Self.provider("github.com", broker, check: true)
            #expect(shown.state == .off && shown.checkedAt == nil && !shown.needsAdministrator)
            #expect(broker.simulator.hits(.checkToken) == 0)
        }
    }
}
