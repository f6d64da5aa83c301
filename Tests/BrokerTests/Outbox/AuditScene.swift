import Foundation
import OAuth
import ProviderKit

@testable import Broker
@testable import BrokerStore

/// A broker with entries in its audit, and what an intruder does to them by SQL.
struct AuditScene: Sendable {
    let broker: TestBroker
    /// The worker of the broker.
    let sealing: AuditSealing

    init(broker: TestBroker) {
        self.broker = broker
        sealing = Self.sealing(broker, broker.core)
    }

    var store: Store { broker.core.store }

    /// The worker of a broker with this core.
    static func sealing(
        _ broker: TestBroker, _ core: BrokerCore, lease: Duration = AuditSealing.leaseDuration
    ) -> AuditSealing {
        AuditSealing(core.stored, leaseDuration: lease)
    }

    /// Adds entries, a second apart.
    func addEntries(_ count: Int) async throws {
        for number in 0..<count {
            broker.clock.advance(seconds: 1)
            try await store.write(at: Timestamp(broker.clock.now), by: Origin(.admin, actor: "ada", reason: "a test")) {
                try $0.audit("test.entry", of: "user", detail: ["number": .integer(Int64(number))])
            }
        }
    }

    /// Adds entries and seals all there are.
    func addSealedEntries(_ count: Int) async throws {
        try await addEntries(count)
        try await sealing.turn()
    }

    /// The numbers of the entries, in the order of the chain.
    func numbers() async throws -> [Int64] {
        try await store.read { try $0.sealedAudit(after: .beginning, limit: 10_000) }.map(\.sequence)
    }

    /// Runs a statement as an intruder with access to the database does.
    func tamper(_ sql: String) async throws {
        let statement = Statement("tamper_\(RandomText.alphanumeric(8).lowercased())", sql)
        try await store.write { _ = try $0.run(statement) }
    }

    func verify(
        after sequence: Int64? = nil, expecting head: AuditHead? = nil
    ) async throws -> AuditReport {
        try await broker.core.admin.verifyAudit(after: sequence, expecting: head)
    }

    /// What verification finds, as `kind first-last`.
    func findings(expecting head: AuditHead? = nil) async throws -> [String] {
        try await verify(expecting: head).findings.map(\.text)
    }

    static func run(_ test: (AuditScene) async throws -> Void) async throws {
        try await TestBroker.run { broker in
            let scene = AuditScene(broker: broker)
            // The entries of the start of the broker.
            try await scene.sealing.turn()
            try await test(scene)
        }
    }
}

extension AuditFinding {
    var text: String { first == last ? "\(kind.rawValue) \(first)" : "\(kind.rawValue) \(first)-\(last)" }
}
