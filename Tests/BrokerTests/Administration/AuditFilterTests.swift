import BrokerStore
import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("filters of the audit and of events", .timeLimit(.minutes(20)))
struct AuditFilterTests {
    @Test func `the known events are those that the sources write`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/Broker")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        var written: Set<String> = []
        for path in paths {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            guard text.contains("audit("), !path.hasSuffix("AuditEvents.swift") else { continue }
            let names = text.matches(
                of: /"([a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*)"/)
            written.formUnion(names.map { String($0.1) })
        }
        // Names of other things, and events whose names are put together.
        written.subtract(["broker.store", "github.com", "options.scopes", HistoryEntry.refused])
        written.subtract(AdminOperations.all.map { $0.name })
        written.formUnion(["provider.disabled", "provider.enabled", AuditFinding.event])
        written.formUnion(Withdrawal.State.allCases.map { "withdrawal.\($0.rawValue)" })

        #expect(Set(AuditEvents.names).symmetricDifference(written).sorted() == [])
    }

    private static func failure(_ work: () async throws -> Void) async -> AdminFailure? {
        do {
            try await work()
            return nil
        } catch {
            return error as? AdminFailure
        }
    }

    @Test(arguments: [
        (#"{"event":"user.delted"}"#, "user.deleted"), (#"{"event":"user"}"#, "not known"),
        (#"{"event":"no."}"#, "not known"), (#"{"user":"nobody"}"#, "no user nobody"),
        (#"{"user":"nobody@example.com"}"#, "no user nobody@example.com"),
    ])
    func `an unknown user or event is refused, with the nearest name`(selection: String, says: String) async throws {
        try await TestBroker.run { broker in
            let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
            let selection = try JSONValueDecoder().decode(
                AuditSelection.self, from: try JSONValue(parsing: selection))
            for failure in [
                await Self.failure { _ = try await ListAudit(selection, limit: 5).run(for: call) },
                await Self.failure { _ = try await FollowAudit(selection, after: nil).run(for: call) },
            ] {
                #expect(failure?.message.contains(says) == true, "\(String(describing: failure))")
            }
        }
    }

    @Test func `deliveries of an unknown type or user are refused, those of a deleted user are not`() async throws {
        try await TestBroker.run { broker in
            let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
            let ada = try await broker.signIn(broker.person("ada")).string("localId")
            _ = try await DeleteUser(user: ada).run(for: call)
            let type = await Self.failure { _ = try await ListEvents(type: "user.delted").run(for: call) }
            let user = await Self.failure { _ = try await ListEvents(user: "nobody").run(for: call) }

            #expect(type?.message.contains("did you mean user.deleted?") == true)
            #expect(user?.message.contains("no user nobody") == true)
            #expect(try await ListEvents(type: "user.deleted", user: ada).run(for: call).events.isEmpty)
            #expect(try await !ListAudit(AuditSelection(user: ada), limit: 5).run(for: call).entries.isEmpty)
        }
    }
}
