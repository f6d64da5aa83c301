import Foundation
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("The audit's hash chain")
struct AuditChainTests {
    @Test func `entries are sealed in an order of their own, without gaps`() async throws {
        try await AuditScene.run { scene in
            try await scene.addEntries(450)
            let sealed = try await scene.sealing.turn()
            let report = try await scene.verify()

            #expect(sealed == 450)
            #expect(try await scene.numbers() == Array(1...Int64(report.entries)))
            #expect(report.findings == [] && report.unsealed == 0 && report.entries >= 450)
            #expect(report.head?.sequence == Int64(report.entries))
        }
    }

    @Test func `an entry that commits late with an earlier key is sealed next`() async throws {
        try await AuditScene.run { scene in
            let early = scene.store.keys.next(at: scene.broker.clock.now)
            try await scene.addSealedEntries(3)
            let now = Timestamp(scene.broker.clock.now)
            try await scene.store.write {
                try $0.append(AuditEntry(key: early, at: now, actorKind: .system, event: "test.late"))
            }
            try await scene.sealing.turn()

            let last = try await scene.store.read { try $0.lastSealedAudit() }
            #expect(last?.entry.event == "test.late")
            #expect(try await scene.findings() == [])
        }
    }

    @Test(arguments: [
        "actor = 'bob'", "detail = '{}'", "event = 'test.other'", "at = at + 1", "reason = NULL",
        "address = '10.0.0.0/24'", "local_id = NULL", "actor_kind = 'user'", "provider = 'github.com'", "key = key + 1",
        "subject_hash = 'h'", "request_id = 'r'",
    ])
    func `an edited entry is found`(change: String) async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(8)
            let number = try #require(try await scene.numbers().last) - 3
            try await scene.tamper("UPDATE audit SET \(change) WHERE sequence = \(number)")

            #expect(try await scene.findings() == ["altered \(number)"])
        }
    }

    @Test func `missing entries are found, in the middle and at both ends`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(12)
            let last = try #require(try await scene.numbers().last)
            try await scene.tamper("DELETE FROM audit WHERE sequence IN (1, 2, 5, \(last))")

            #expect(try await scene.findings() == ["missing 1-2", "missing 5", "missing \(last)"])
        }
    }

    @Test func `entries that changed places are found`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(8)
            try await scene.tamper("UPDATE audit SET sequence = 9 - sequence WHERE sequence IN (4, 5)")

            // The one after them follows another seal now.
            #expect(try await scene.findings() == ["altered 4", "altered 5", "altered 6"])
        }
    }

    @Test func `inserted entries are found`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(8)
            let last = try #require(try await scene.numbers().last)
            for (key, sequence) in [(1, 4), (2, last + 1)] {
                try await scene.tamper(
                    """
                    INSERT INTO audit (key, at, actor_kind, event, detail, sequence, seal_key, seal)
                    SELECT \(key), at, actor_kind, event, detail, \(sequence), seal_key, seal
                    FROM audit WHERE sequence = 4 AND key > 9
                    """)
            }

            // The smaller key comes first among entries of one number.
            #expect(
                try await scene.findings() == [
                    "altered 4", "inserted 4", "altered \(last + 1)", "inserted \(last + 1)",
                ])
        }
    }

    @Test func `a chain that was shortened together with its record is found by a noted end`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(4)
            let early = try await scene.store.read { try $0.auditAnchors()[.head] }
            try await scene.addSealedEntries(4)
            let noted = try #require(try await scene.verify().head)
            let head = try #require(early)
            try await scene.tamper("DELETE FROM audit WHERE sequence > \(head.sequence)")
            try await scene.store.write { try $0.put(head) }

            #expect(try await scene.findings() == [])
            #expect(try await scene.findings(expecting: noted) == ["unexpected \(noted.sequence)"])
            #expect(AuditHead(noted.description) == noted)
        }
    }

    @Test func `altered and removed records of the ends are found`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(4)
            let last = try #require(try await scene.numbers().last)
            try await scene.tamper("UPDATE audit_anchors SET at = at + 1")
            #expect(try await scene.findings() == ["head \(last)"])

            try await scene.tamper("DELETE FROM audit_anchors")
            #expect(try await scene.findings() == ["head \(last)"])
        }
    }

    @Test func `a store whose audit is gone altogether does not verify as intact, and neither does one that goes on`()
        async throws
    {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(4)
            try await scene.tamper("DELETE FROM audit")
            try await scene.tamper("DELETE FROM audit_anchors")
            #expect(try await scene.findings() == ["head 0"])
            // A broker that starts on it heals nothing.
            try await scene.broker.withSecondCore { _ in }
            #expect(try await scene.findings() == ["head 0"])

            try await scene.addSealedEntries(3)
            try await scene.sealing.turn()
            #expect(try await scene.findings() == ["recorded 4"])
        }
    }

    @Test func `a store without the record of its chain does not verify as intact`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(2)
            try await scene.tamper("DELETE FROM settings WHERE name = 'audit-chain'")
            #expect(try await scene.findings() == ["record 0"])
            try await scene.tamper("DELETE FROM audit")
            try await scene.tamper("DELETE FROM audit_anchors")
            try await scene.broker.withSecondCore { _ in }

            #expect(try await scene.findings() == ["record 0", "head 0"])
        }
    }

    @Test func `a new store verifies before anything is sealed, and one of an earlier version gets its record once`()
        async throws
    {
        try await AuditScene.run { scene in
            let chain = AuditChain(scene.broker.core.masterKey)
            try await scene.tamper("DELETE FROM audit")
            try await scene.tamper("DELETE FROM audit_anchors")
            // As the migration marks a store.
            try await scene.store.write { try $0.putAuditRecord([]) }
            #expect(try await scene.findings() == ["record 0", "head 0"])

            try await chain.begin(in: scene.store, at: Timestamp(scene.broker.clock.now))
            let empty = try await scene.verify()
            #expect(empty.findings == [] && empty.entries == 0 && empty.head == nil)
            try await scene.addSealedEntries(3)
            #expect(try await scene.findings() == [])
        }
    }

    @Test func `a broker that starts seals at once, while the lease of a killed one lasts`() async throws {
        try await AuditScene.run { scene in
            // Holds the lease, and never gives it back.
            try await scene.addSealedEntries(1)
            try await scene.addEntries(2)
            let next = AuditScene.sealing(scene.broker, scene.broker.core)
            let waiting = try await next.turn()
            let sealed = try await next.turn(takingOver: true)

            #expect(waiting == 0 && sealed == 2)
            try await scene.addEntries(1)
            let taken = try await next.turn()
            #expect(taken == 1)
            #expect(try await scene.verify().unsealed == 0)
            #expect(try await scene.findings() == [])
        }
    }

    @Test func `a broken chain is continued, and the break stays visible`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(8)
            let last = try #require(try await scene.numbers().last)
            try await scene.tamper("DELETE FROM audit WHERE sequence >= \(last - 1)")
            try await scene.addSealedEntries(2)
            try await scene.sealing.turn()

            #expect(try await scene.findings() == ["missing \(last - 1)-\(last)", "recorded \(last + 3)"])
            #expect(try await scene.verify().unsealed == 0)
        }
    }

    @Test func `entries that are not sealed yet are reported with their age`() async throws {
        try await AuditScene.run { scene in
            try await scene.addEntries(3)
            let report = try await scene.verify()

            #expect(report.findings == [] && report.unsealed == 3)
            #expect(report.oldestUnsealed?.seconds == Timestamp(scene.broker.clock.now).seconds - 2)
        }
    }

    @Test func `two brokers seal one chain`() async throws {
        try await AuditScene.run { scene in
            try await scene.broker.withSecondCore { other in
                // Leases that end at once exclude no worker.
                let workers = [scene.broker.core, other].map { AuditScene.sealing(scene.broker, $0, lease: .zero) }
                for _ in 0..<6 {
                    try await scene.addEntries(30)
                    try await withThrowingTaskGroup { group in
                        for worker in workers { group.addTask { _ = try? await worker.turn() } }
                        try await group.waitForAll()
                    }
                }
                try await workers[0].turn()
            }
            let report = try await scene.verify()

            #expect(report.findings == [] && report.unsealed == 0 && report.entries >= 180)
            #expect(try await scene.numbers() == Array(1...Int64(report.entries)))
        }
    }
}
