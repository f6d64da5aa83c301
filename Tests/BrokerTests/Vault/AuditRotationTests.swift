import Foundation
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("The audit's hash chain and rotations of the master key")
struct AuditRotationTests {
    @Test(arguments: [false, true])
    func `seals stay verifiable after rotations, and the new key seals at once`(isCompromised: Bool) async throws {
        try await RotationScene.run { rotation in
            let scene = AuditScene(broker: rotation.broker)
            try await scene.addSealedEntries(5)
            var watch = MasterKeyWatch(rotation.broker.core.stored)
            try await rotation.rotate(compromised: isCompromised)
            // This broker has not seen the new key: another one seals.
            try await scene.addEntries(1)
            #expect(try await scene.sealing.turn() == 0)
            try await watch.turn()
            try await scene.addSealedEntries(5)

            let report = try await scene.verify()
            let rows = try await scene.store.read { try $0.sealedAudit(after: .beginning, limit: 100) }
            #expect(report.findings == [] && report.unsealed == 0)
            #expect(Set(rows.map(\.keyID)).count == 2)

            // Without the former master key.
            try await rotation.broker.withSecondCore(RotationScene.withoutPrevious) { core in
                let findings = try await core.admin.verifyAudit().findings
                #expect(findings == [])
            }
        }
    }

    @Test func `the former key can neither shorten nor continue the chain`() async throws {
        try await RotationScene.run { rotation in
            let scene = AuditScene(broker: rotation.broker)
            try await scene.addSealedEntries(5)
            let former = AuditChain(rotation.broker.core.masterKey)
            let old = try #require(try await scene.store.read { try $0.auditAnchors()[.head] })
            try await rotation.rotate(compromised: true)
            var watch = MasterKeyWatch(rotation.broker.core.stored)
            try await watch.turn()
            try await scene.addSealedEntries(2)
            let rows = try await scene.store.read { try $0.sealedAudit(after: .beginning, limit: 100) }
            let last = try #require(rows.last)
            let forged = AuditEntry(
                key: last.entry.key, at: Timestamp(milliseconds: 1), actorKind: .system, event: "forged")
            let row = try #require(try former.seal([forged], after: rows[rows.count - 2].place).first)
            try await scene.tamper("DELETE FROM audit WHERE sequence = \(last.sequence)")
            try await scene.store.write {
                try $0.append(row.entry)
                _ = try $0.place(row)
            }
            #expect(
                try await scene.findings() == ["replaced-key \(last.sequence)", "altered \(last.sequence)"])

            try await scene.tamper("DELETE FROM audit WHERE sequence > \(old.sequence)")
            try await scene.store.write { try $0.put(old) }
            #expect(try await scene.findings() == ["replaced-key \(old.sequence)"])
        }
    }
}
