import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("audit operations", .timeLimit(.minutes(20)))
struct AuditOperationTests {
    private static func call(_ broker: TestBroker) -> AdminCall {
        AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
    }

    @Test func `a list has the entries that are asked for, newest first`() async throws {
        try await AuditScene.run { scene in
            try await scene.addEntries(5)
            let since = Timestamp(scene.broker.clock.now)
            let ada = try await scene.broker.signIn(scene.broker.person("ada")).string("localId")
            func events(_ selection: AuditSelection, limit: Int = 100) async throws -> [String] {
                try await ListAudit(selection, limit: limit).run(for: Self.call(scene.broker)).entries.map(\.event)
            }

            #expect(try await events(AuditSelection(user: ada)) == ["user.created"])
            #expect(try await events(AuditSelection(user: "ada@example.com")) == ["user.created"])
            #expect(try await events(AuditSelection(user: "user"), limit: 2) == ["test.entry", "test.entry"])
            #expect(try await events(AuditSelection(event: "test.")).count == 5)
            #expect(try await events(AuditSelection(event: "identity.")).isEmpty)
            #expect(try await events(AuditSelection(actor: "ada", event: "test.entry", since: since)).count == 1)
            #expect(try await events(AuditSelection(actor: "ada", until: since)).count == 4)
            await #expect(throws: AdminFailure.self) { try await events(AuditSelection(), limit: 0) }
        }
    }

    @Test func `followers get each entry once, also one that commits late`() async throws {
        try await AuditScene.run { scene in
            let early = scene.store.keys.next(at: scene.broker.clock.now)
            let call = Self.call(scene.broker)
            let start = try await FollowAudit(AuditSelection(), after: nil).run(for: call)
            try await scene.addSealedEntries(2)
            let first = try await FollowAudit(AuditSelection(event: "test."), after: start.next).run(for: call)
            try await scene.store.write {
                try $0.append(
                    AuditEntry(key: early, at: Timestamp(milliseconds: 1), actorKind: .system, event: "test.late"))
            }
            try await scene.sealing.turn()
            let second = try await FollowAudit(AuditSelection(event: "test."), after: first.next).run(for: call)
            let third = try await FollowAudit(AuditSelection(event: "test."), after: second.next).run(for: call)

            #expect(start.entries.isEmpty && third.entries.isEmpty && third.next == second.next)
            #expect(first.entries.map(\.event) == ["test.entry", "test.entry"])
            #expect(second.entries.map(\.event) == ["test.late"])
        }
    }

    @Test func `a remote call is recorded with its credential, its network and its reason`() async throws {
        try await AuditScene.run { scene in
            let (credential, token) = try await scene.broker.core.sessions.adminCredentials.create(
                named: "Support desk", scopes: [.readAudit], lifetime: nil, origin: Origin(.admin, actor: "test"))
            let answer = try await scene.broker.send(
                .POST, "/v1/broker/admin/audit.list",
                headers: [
                    "Authorization": "Bearer \(token.text)", "Content-Type": "application/json",
                    "X-Broker-Reason": AdministratorReason.encoded("Ticket 7: Änderung\nprüfen"),
                ], body: Array(#"{"limit":1}"#.utf8))

            let entry = answer["entries"]?.array?.first
            #expect(answer.status == 200, "\(answer.text)")
            #expect(entry?["event"] == "admin.read" && entry?["detail"] == ["operation": "audit.list"])
            #expect(entry?["actor"]?.string == "credential:\(credential.id)" && entry?["actorName"] == "Support desk")
            #expect(entry?["address"] == "127.0.0.0/24" && entry?["reason"] == "Ticket 7: Änderungprüfen")
            #expect(entry?["requestId"]?.string != nil)
        }
    }

    @Test func `a chain of several stretches is verified stretch by stretch`() async throws {
        try await AuditScene.run { scene in
            try await scene.addSealedEntries(3)
            let call = Self.call(scene.broker)
            let all = try await VerifyAuditChain().run(for: call)
            let rest = try await VerifyAuditChain(after: all.head.map { $0.sequence - 2 }).run(for: call)
            let head = try #require(all.head)
            let expected = try await VerifyAuditChain(expected: head.description).run(for: call)

            #expect(all.findings == [] && all.next == nil && rest.findings == [] && rest.entries == 2)
            #expect(expected.findings == [])
            await #expect(throws: AdminFailure.self) { try await VerifyAuditChain(expected: "7").run(for: call) }
        }
    }

    @Test func `a reload of the providers is recorded by the broker that adopted it`() async throws {
        try await TestBroker.run { broker in
            try broker.folder.write("plugins.json", JSONValue.object(["providers": []]).serialized())
            var intervals = BackgroundIntervals.still
            intervals.providers = .milliseconds(5)
            try await broker.withSecondCore { core in
                try await TestBroker.serve(core, intervals: intervals) { _ in
                    try broker.folder.write(
                        "plugins.json",
                        JSONValue.object(["providers": [TestBroker.gitHub(broker.simulator, id: "github.acme")]])
                            .serialized())
                    let filter = AuditFilter(event: "configuration.reloaded")
                    var entries: [AuditEntry] = []
                    while entries.isEmpty {
                        entries = try await core.store.read { try $0.auditEntries(filter, limit: 9) }
                    }
                    #expect(entries.first?.detail.text.contains(#""added":["github.acme"]"#) == true)
                }
            }
        }
    }
}
