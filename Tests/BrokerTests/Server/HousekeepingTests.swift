import BrokerStore
import Foundation
import OAuth
import ProviderKit
import Synchronization
import Testing

@testable import Broker

@Suite("housekeeping")
struct HousekeepingTests {
    private static let day: TimeInterval = 86_400

    @Test func `expired rows are removed, rows that may still be read stay`() async throws {
        try await TestBroker.run { broker in
            let keeper = Keeper(broker)
            let tokens = try await keeper.addTokens(expiringInDays: [-3, -2.1, -1.9, 0.04])
            let (dead, kept) = try await keeper.addSessions(endedDaysAgo: [31, 29])

            let outcome = try await keeper.turn()

            #expect(outcome == .done(.init(pendingTokens: 2, usedIDTokens: 2, sessions: 3)))
            #expect(try await keeper.isRecorded(tokens) == [false, false, true, true])
            #expect(try await keeper.exist(dead).allSatisfy { !$0 })
            #expect(try await keeper.exist(kept).allSatisfy(\.self))
        }
    }

    @Test func `more than one batch goes in one turn`() async throws {
        try await TestBroker.run { broker in
            let keeper = Keeper(broker)
            let many = Housekeeping.batch * 2 + 17
            _ = try await keeper.addTokens(expiringInDays: Array(repeating: -5, count: many))

            let outcome = try await keeper.turn()

            #expect(outcome == .done(.init(pendingTokens: many, usedIDTokens: many, sessions: 0)))
        }
    }

    @Test func `one turn removes a flood of expired sign-in attempts, among other expired rows`() async throws {
        try await TestBroker.run { broker in
            let keeper = Keeper(broker)
            let flood = 20_500
            try await keeper.addAttempts(flood, expiredSecondsAgo: 1300)
            try await keeper.addAttempts(3, expiredSecondsAgo: 1100)
            _ = try await keeper.addTokens(expiringInDays: [-5])

            let outcome = try await keeper.turn()

            #expect(outcome == .done(.init(pendingTokens: 1, usedIDTokens: 1, signInAttempts: flood)))
        }
    }

    @Test func `every used ID token is examined within six hours, however many there are`() {
        var (turns, start) = (0, [UInt8]())
        while start.first != .max {
            turns += 1
            let end = (0...UInt16.max).map { [UInt8($0 >> 8), UInt8($0 & 255), 7] }.first {
                Housekeeping.isShare(of: start, to: $0)
            }
            guard let end else { break }
            #expect(start.lexicographicallyPrecedes(end))
            start = end
        }

        #expect(Housekeeping.interval * turns <= Housekeeping.usedIDTokenCycle)
        #expect(Housekeeping.usedIDTokenCycle == .seconds(6 * 3600))
        #expect(turns > 60)
        #expect(!Housekeeping.isShare(of: [], to: [0, 1]))
    }

    @Test func `records of what happened go after the time the operator gave them`() async throws {
        try await TestBroker.run {
            $0.retention.audit = .seconds(60 * 86_400)
            $0.retention.decisions = nil
        } _: { broker in
            let keeper = Keeper(broker)
            let session = try await broker.signIn(broker.person("ada"))
            let localID = try session.string("localId")
            try await AuditScene(broker: broker).sealing.turn()
            // Every day: no clock jumps.
            for _ in 0..<59 { _ = try await keeper.turn(after: .seconds(86_400)) }
            let before = try await broker.auditEvents(of: localID)
            for _ in 0..<2 { _ = try await keeper.turn(after: .seconds(86_400)) }

            #expect(!before.isEmpty)
            #expect(try await broker.auditEvents(of: localID) == [])
            #expect(try await broker.core.store.read { try $0.decisions(localID: localID, limit: 9).count } == 1)
        }
    }

    @Test func `addresses of sessions are forgotten, the sessions stay`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let keeper = Keeper(broker)
            // Every day: no clock jumps.
            for _ in 0..<29 { _ = try await keeper.turn(after: .seconds(86_400)) }
            let kept = try await keeper.turn(after: .seconds(86_399))
            let gone = try await keeper.turn(after: .seconds(2))

            #expect(kept == .done(.init()) && gone == .done(.init(addresses: 1)), "\(kept) \(gone)")
        }
    }

    @Test func `sessions whose refresh tokens are stable stay, however old`() async throws {
        try await TestBroker.run {
            $0.policy.refreshTokens = .stable
        } _: { broker in
            let keeper = Keeper(broker)
            let (dead, kept) = try await keeper.addSessions(endedDaysAgo: [400, 29])

            #expect(try await keeper.turn() == .done(.init(sessions: 1)))

            #expect(try await keeper.exist(dead) == [true, true, false])
            #expect(try await keeper.exist(kept).allSatisfy(\.self))
        }
    }

    @Test func `one broker does it, and another goes on when it stops`() async throws {
        try await TestBroker.run { broker in
            let (first, second) = (Keeper(broker), Keeper(broker))

            #expect(try await first.turn() == .done(.init()))
            #expect(try await second.turn() == .leftToAnother)
            try await first.housekeeping.release()
            #expect(try await second.turn() == .done(.init()))
            #expect(try await first.turn() == .leftToAnother)
        }
    }

    @Test func `a broker that has lost the lease removes nothing more`() async throws {
        try await TestBroker.run { broker in
            let (first, second) = (Keeper(broker), Keeper(broker))
            _ = try await first.turn()
            let tokens = try await first.addTokens(expiringInDays: [-5])
            broker.clock.advance(seconds: 901)
            #expect(try await second.turn() == .done(.init(pendingTokens: 1, usedIDTokens: 1)))
            let late = try await first.addTokens(expiringInDays: [-5])
            let expired = Timestamp(broker.clock.now)

            await #expect(throws: LeaseLost.self) {
                try await first.housekeeping.leased.write {
                    try $0.removeUsedIDTokens(
                        after: [], upTo: Array(repeating: .max, count: 32), expiredBy: expired)
                }
            }

            #expect(try await first.isRecorded(tokens + late) == [false, true])
        }
    }

    @Test func `a clock that jumps ten years ahead and is mended a day later has destroyed nothing`() async throws {
        try await TestBroker.run { broker in
            let keeper = Keeper(broker)
            let alive = try await keeper.addLiveSessions()
            _ = try await keeper.turn()
            let tokens = try await keeper.addTokens(expiringInDays: [0.04, 1])

            broker.clock.advance(seconds: 3652 * Self.day)
            for _ in 0..<288 { _ = try await keeper.turn(after: Housekeeping.interval) }
            broker.clock.advance(seconds: -3652 * Self.day)
            for _ in 0..<24 { _ = try await keeper.turn(after: Housekeeping.interval) }

            #expect(try await keeper.exist(alive).allSatisfy(\.self))
            #expect(try await keeper.isRecorded(tokens) == [true, true])
        }
    }

    @Test func `a broker ten years ahead destroys nothing as long as another contradicts it`() async throws {
        try await TestBroker.run { broker in
            let mistaken = TestClock(broker.clock.now.addingTimeInterval(3652 * Self.day))
            let (sane, insane) = (Keeper(broker), Keeper(broker, clock: mistaken))
            let alive = try await sane.addLiveSessions()
            var tokens: [[UInt8]] = []

            // Ten days. Real turns are closer to each other and leave the mistaken one even less time.
            for _ in 0..<240 {
                tokens = try await sane.addTokens(expiringInDays: [0.05])
                _ = try await sane.turn(after: .seconds(3600))
                _ = try await insane.turn(after: .seconds(3600))
                #expect(try await sane.isRecorded(tokens) == [true])
            }

            #expect(try await sane.exist(alive).allSatisfy(\.self))
        }
    }
}

/// A broker's housekeeping with clocks that move when the test says so, and something to remove.
private final class Keeper {
    private let broker: TestBroker
    private let clock: TestClock
    private let ticks: Ticks
    var housekeeping: Housekeeping

    private final class Ticks: Sendable {
        let elapsed = Mutex(Duration.zero)
    }

    init(_ broker: TestBroker, clock: TestClock? = nil) {
        self.broker = broker
        let clock = clock ?? broker.clock
        let ticks = Ticks()
        (self.clock, self.ticks) = (clock, ticks)
        housekeeping = Housekeeping(
            broker.core.accounts, records: broker.core.configuration.retention, clock: { clock.now },
            uptime: { ticks.elapsed.withLock(\.self) })
    }

    func turn(after duration: Duration = .zero) async throws -> Housekeeping.Outcome {
        clock.advance(seconds: TimeInterval(duration.components.seconds))
        ticks.elapsed.withLock { $0 += duration }
        return try await housekeeping.turn()
    }

    /// Sign-in attempts whose browsers never returned.
    func addAttempts(_ count: Int, expiredSecondsAgo seconds: TimeInterval) async throws {
        let (now, keys) = (broker.clock.now, broker.core.store.keys)
        let expires = Timestamp(now.addingTimeInterval(-seconds))
        // A server has seconds for one transaction.
        for start in stride(from: 0, to: count, by: 1000) {
            try await broker.core.store.write { transaction in
                for _ in start..<min(start + 1000, count) {
                    try transaction.insert(
                        SignInAttemptRow(
                            key: keys.next(at: now), stateHash: Array(RandomText.alphanumeric(32).utf8),
                            purpose: "browser", provider: "github.com", bindingHash: [1], sealedRequest: [1],
                            createdAt: expires, expiresAt: expires))
                }
            }
        }
    }

    /// A pending token and a used ID token for each expiry; returns the latter's hashes.
    func addTokens(expiringInDays days: [Double]) async throws -> [[UInt8]] {
        let (now, keys) = (broker.clock.now, broker.core.store.keys)
        let rows = days.map { days in
            (
                key: keys.next(at: now), hash: Array(RandomText.alphanumeric(32).utf8),
                expires: Timestamp(now.addingTimeInterval(days * 86_400))
            )
        }
        try await broker.core.store.write { transaction in
            for row in rows {
                try transaction.insert(
                    PendingToken(
                        key: row.key, tokenHash: row.hash, sealedEvidence: [1], createdAt: Timestamp(now),
                        expiresAt: row.expires, authTime: 0))
                _ = try transaction.recordUse(
                    of: UsedIDToken(
                        key: row.key, tokenHash: row.hash, localID: "someone", usedAt: Timestamp(now),
                        expiresAt: row.expires))
            }
        }
        return rows.map(\.hash)
    }

    /// Whether the uses with these hashes are still known. Looks by recording them, and takes that back.
    func isRecorded(_ hashes: [[UInt8]]) async throws -> [Bool] {
        struct TakeBack: Error { let found: [Bool] }
        let (now, keys) = (broker.clock.now, broker.core.store.keys)
        do {
            try await broker.core.store.write { transaction in
                let found = try hashes.map { hash in
                    try transaction.recordUse(
                        of: UsedIDToken(
                            key: keys.next(at: now), tokenHash: hash, localID: "x", usedAt: Timestamp(now),
                            expiresAt: Timestamp(now))) != nil
                }
                throw TakeBack(found: found)
            }
        } catch let back as TakeBack {
            return back.found
        }
        return []
    }

    /// Sessions that ended in every way, so many days ago each.
    func addSessions(endedDaysAgo days: [Double]) async throws -> (first: [Session], second: [Session]) {
        let all = try await add(
            days.flatMap { [(30 + $0, nil, nil), (90 + $0, $0 / 2, nil), (50, nil, $0)] })
        return (Array(all.prefix(3)), Array(all.dropFirst(3)))
    }

    /// Sessions that may be refreshed today.
    func addLiveSessions() async throws -> [Session] {
        try await add([(0, nil, nil), (1, nil, nil), (28, nil, nil), (88, 0.1, nil)])
    }

    private func add(_ days: [(created: Double, used: Double?, revoked: Double?)]) async throws -> [Session] {
        let (now, keys) = (broker.clock.now, broker.core.store.keys)
        func daysAgo(_ days: Double) -> Timestamp { Timestamp(now.addingTimeInterval(-days * 86_400)) }
        let user = User(
            key: keys.next(at: now), localID: RandomText.alphanumeric(28), createdAt: daysAgo(200))
        let sessions = days.map { days in
            Session(
                key: keys.next(at: now), id: RandomText.alphanumeric(22), userKey: user.key,
                signInProvider: "github.com", authTime: 0, createdAt: daysAgo(days.created),
                rotatedAt: days.used.map(daysAgo), epoch: 0, revokedAt: days.revoked.map(daysAgo))
        }
        try await broker.core.store.write { transaction in
            _ = try transaction.insert(user)
            for session in sessions { try transaction.insert(session) }
        }
        return sessions
    }

    func exist(_ sessions: [Session]) async throws -> [Bool] {
        try await broker.core.store.read { transaction in
            try sessions.map { try transaction.session(id: $0.id) != nil }
        }
    }
}
