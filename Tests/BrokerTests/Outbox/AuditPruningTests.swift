import Foundation
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("The beginning of the audit's hash chain")
struct AuditPruningTests {
    /// Removes entries that are older than a day.
    private static func prune(_ scene: AuditScene, limit: Int = 100) async throws -> Int {
        let now = Timestamp(scene.broker.clock.now)
        let chain = AuditChain(scene.broker.core.masterKey)
        return try await scene.store.write(at: now) {
            try chain.prune(until: now.advanced(by: .seconds(-86_400)), at: now, limit: limit, in: $0)
        }
    }

    @Test func `aged entries go, and the chain begins behind them`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(10)
            scene.broker.clock.advance(seconds: 90_000)
            try await scene.addSealedEntries(5)
            let before = try await scene.numbers()

            let removed = try await Self.prune(scene, limit: 4)
            let rest = try await Self.prune(scene)
            let report = try await scene.verify()

            #expect(removed == 4 && rest == before.count - 9)
            #expect(try await scene.numbers() == Array(before.suffix(5)))
            #expect(report.findings == [] && report.removed == before[before.count - 6])
            #expect(try await Self.prune(scene) == 0)
        }
    }

    @Test func `entries that are not sealed stay, and so does everything once all are removed`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(3)
            try await scene.addEntries(2)
            scene.broker.clock.advance(seconds: 90_000)
            _ = try await Self.prune(scene)
            #expect(try await scene.verify().unsealed == 2)

            try await scene.sealing.turn()
            #expect(try await scene.findings() == [])
            _ = try await Self.prune(scene)
            try await scene.addSealedEntries(1)
            let report = try await scene.verify()
            #expect(report.findings == [] && report.entries == 1)
        }
    }

    @Test func `an entry of a clock that was ahead does not hold up others, and does not go before them`() async throws
    {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(2)
            let ahead = Timestamp(scene.broker.clock.now).advanced(by: .seconds(10 * 86_400))
            try await scene.store.write(at: ahead) { try $0.audit("test.ahead", of: nil) }
            try await scene.sealing.turn()
            scene.broker.clock.advance(seconds: 90_000)
            _ = try await Self.prune(scene)
            let kept = try await scene.store.read { try $0.sealedAudit(after: .beginning, limit: 9) }
            #expect(kept.map(\.entry.event) == ["test.ahead"])

            try await scene.addSealedEntries(2)
            scene.broker.clock.advance(seconds: 90_000)
            #expect(try await Self.prune(scene) == 3)
            #expect(try await scene.findings() == [])
        }
    }

    @Test func `a missing beginning and entries before the recorded one are found`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(10)
            scene.broker.clock.advance(seconds: 90_000)
            try await scene.addSealedEntries(5)
            let row = try #require(try await scene.store.read { try $0.sealedAudit(after: .beginning, limit: 1) }.first)
            _ = try await Self.prune(scene)
            let start = try await scene.verify().removed
            try await scene.store.write {
                try $0.append(row.entry)
                _ = try $0.place(row)
            }
            try await scene.tamper("DELETE FROM audit WHERE sequence = \(start + 1)")

            #expect(try await scene.findings() == ["inserted \(row.sequence)", "missing \(start + 1)"])
        }
    }

    @Test func `a break among aged entries is recorded before its evidence goes`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(10)
            try await scene.tamper("UPDATE audit SET actor = 'bob' WHERE sequence = 4")
            scene.broker.clock.advance(seconds: 90_000)
            _ = try await Self.prune(scene)
            try await scene.sealing.turn()

            let entries = try await scene.store.read { try $0.auditEntries(AuditFilter(event: "audit."), limit: 9) }
            #expect(entries.map(\.detail.text) == [#"{"kind":"altered","number":4,"findings":1}"#])
            #expect(try await scene.verify().findings.map(\.kind) == [.recorded])
        }
    }
}
