import BrokerStore
import BrowserTesting
import Foundation
import NIOCore
import NIOPosix
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Webhooks")
struct WebhookTests {
    private static let admin = Origin(.admin, actor: "test")

    @Test func `have each type in the documentation and in the schema`() throws {
        let page = try String(contentsOf: RecordedPage.root.appending(path: "Docs/Webhooks.md"), encoding: .utf8)
        let schema = try JSONValue(
            parsing: Array(Data(contentsOf: RecordedPage.root.appending(path: "Docs/webhook-message.schema.json"))))
        let examples = (schema["properties"]?["type"]?["examples"]?.array ?? []).compactMap(\.string)

        let types = UserEvent.Kind.allCases.map(\.rawValue)
        #expect(Set(examples) == Set(types + [WebhookMessage.testType]))
        #expect(types.filter { !page.contains("`\($0)`") } == [])
    }

    @Test func `get a user's events in order, signed, without personal data`() async throws {
        try await TestBroker.runWithBackend { broker, backend in
            let (_, secret) = try await broker.addWebhook(at: backend.url)
            let ada = broker.simulator.add(.init(login: "ada-lovelace", name: "Ada Lovelace"))
            let session = try await broker.signIn(ada)
            let localID = try session.string("localId")
            _ = try await broker.signIn(ada)
            _ = try await broker.core.accounts.disableUser(localID: localID, origin: Self.admin)
            _ = try await broker.core.accounts.disableUser(false, localID: localID, origin: Self.admin)
            _ = try await broker.core.sessions.revokeSessions(of: localID, origin: Self.admin)
            _ = try await broker.delete(try await broker.signIn(ada))

            try await broker.eventWorker().turn()

            let messages = try backend.messages(signedWith: secret)
            #expect(
                messages.compactMap { $0["type"]?.string } == [
                    "user.created", "user.signed_in", "user.signed_in", "user.disabled", "user.enabled",
                    "session.revoked", "session.revoked", "user.signed_in", "session.revoked", "user.deleted",
                ], "\(messages)")
            #expect(messages.compactMap { $0["sequence"]?.integer } == Array(1...10))
            #expect(messages.allSatisfy { $0["localId"]?.string == localID && $0["timestamp"]?.string != nil })
            #expect(Set(messages.compactMap { $0["id"]?.string }).count == 10)
            #expect(messages[0]["data"]?["provider"] == "github.com")
            #expect(messages[5]["data"]?["reason"] == "revoked by an administrator")
            #expect(messages[5]["data"]?["sessionId"]?.string != nil)
            let all = backend.site.visits.map(\.body).joined()
            #expect(!all.contains("lovelace") && !all.contains("gho_") && !all.contains("@"))
            #expect(try await broker.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
        }
    }

    @Test func `get only what they subscribe to; nothing is written without a subscriber`() async throws {
        try await TestBroker.runWithBackend { broker, backend in
            _ = try await broker.signIn(broker.person("ada"))
            let before = try await broker.deliveries()
            let (id, secret) = try await broker.addWebhook(at: backend.url, events: ["user.deleted"])
            let session = try await broker.signIn(broker.person("ben"))
            _ = try await broker.delete(session)
            _ = try await broker.core.outbox.events.webhooks.remove(id, origin: Self.admin)
            _ = try await broker.signIn(broker.person("cleo"))
            let queued = try await broker.deliveries()

            #expect(before.isEmpty)
            #expect(queued.map(\.type) == ["user.deleted"] && queued.first?.state == .dropped, "\(queued)")
            _ = try await broker.core.outbox.events.replay(
                QueueSelection([.event: queued[0].eventID]), origin: Self.admin)
            try await broker.eventWorker().turn()
            #expect(try backend.messages(signedWith: secret).isEmpty)
            #expect(try await broker.deliveries().first?.reason == "the webhook was removed")
        }
    }

    @Test func `are told of a merge and of its undo`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            _ = try await broker.addWebhook(at: "https://backend.example/")
            let stays = try await broker.signIn(.init("9")).string("localId")
            let gone = try await broker.signIn(.init("7")).string("localId")
            _ = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let merge = try #require(try await broker.core.accounts.undoableMerges(limit: 1).first)
            _ = try await broker.core.accounts.undoMerge(merge.id, origin: Self.admin)

            let types = ["user.merged", "user.absorbed", "user.unmerged", "user.restored"]
            let events = try await broker.deliveries().filter { types.contains($0.type) }
            try #require(events.map(\.type) == types, "\(events)")
            #expect(events.map(\.localID) == [stays, gone, stays, gone])
            #expect(events[0].data.contains(#""absorbedLocalId":"\#(gone)""#), "\(events[0])")
            #expect(events[2].data.contains(#""restoredLocalId":"\#(gone)""#), "\(events[2])")
            for event in [events[1], events[3]] {
                #expect(event.data.contains(#""survivorLocalId":"\#(stays)""#), "\(event)")
            }
        }
    }

    @Test func `are told of links and unlinks`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.addWebhook(at: "https://backend.example/", events: ["user.linked", "user.unlinked"])
            let session = try await broker.signUp()
            let token = try broker.simulator.accessToken(
                for: broker.person("ada"), application: broker.simulator.defaultApplication)
            let linked = try await broker.signIn(
                postBody: [("access_token", token), ("providerId", "github.com")],
                extra: ["idToken": .string(try session.string("idToken"))])
            _ = try await broker.core.accounts.unlink(
                provider: "github.com", from: try linked.string("localId"), leavesNoWayIn: true, origin: Self.admin)

            let events = try await broker.deliveries()
            #expect(events.map(\.type) == ["user.linked", "user.unlinked"], "\(events)")
            #expect(events.allSatisfy { $0.data.contains(#""provider":"github.com""#) })
        }
    }

    @Test(arguments: [400, 404, 500, 503])
    func `that fail get the same message later, and the user's next events after it`(status: Int) async throws {
        try await TestBroker.runWithBackend(statuses: [status]) { broker, backend in
            let (_, secret) = try await broker.addWebhook(at: backend.url)
            let worker = broker.eventWorker()
            _ = try await broker.signIn(broker.person("ada"))
            #expect(try await worker.turn() == 1, "a later event went before")
            let failed = try await broker.deliveries()
            #expect(try await worker.turn() == 0, "attempted again before it was due")
            broker.clock.advance(seconds: 6)
            #expect(try await worker.turn() == 2)

            #expect(failed.map(\.state) == [.queued, .queued] && failed[0].reason == "answered with status \(status)")
            let messages = try backend.messages(signedWith: secret)
            #expect(messages.count == 3 && messages[0] == messages[1], "\(messages)")
            #expect(messages.compactMap { $0["sequence"]?.integer } == [1, 1, 2])
        }
    }

    @Test func `may ask for a longer wait, and are not followed elsewhere`() async throws {
        try await TestBroker.runWithBackend(
            statuses: [429, 307], headers: ["retry-after": "600", "location": "/elsewhere"]
        ) { broker, backend in
            let (_, secret) = try await broker.addWebhook(at: backend.url, events: ["user.created"])
            let worker = broker.eventWorker()
            _ = try await broker.signIn(broker.person("ada"))
            try await worker.turn()
            broker.clock.advance(seconds: 599)
            #expect(try await worker.turn() == 0)
            broker.clock.advance(seconds: 2)
            #expect(try await worker.turn() == 1)
            let redirected = try await broker.deliveries()
            broker.clock.advance(seconds: 11)
            try await worker.turn()

            #expect(redirected.first?.reason == "answered with status 307: redirects are not followed")
            #expect(try backend.messages(signedWith: secret).count == 3)
            #expect(backend.site.visits.allSatisfy { $0.path == "/events" && $0.query == "tenant=1" })
        }
    }

    @Test func `that answer 410 are disabled, and get their dead letters on demand`() async throws {
        try await TestBroker.runWithBackend(statuses: [410]) { broker, backend in
            let (id, secret) = try await broker.addWebhook(at: backend.url)
            let worker = broker.eventWorker()
            _ = try await broker.signIn(broker.person("ada"))
            try await worker.turn()
            _ = try await broker.signIn(broker.person("ben"))
            let dead = try await broker.deliveries()
            let disabled = try await broker.core.outbox.events.webhooks.list()
            _ = try await broker.core.outbox.events.webhooks.enable(id, origin: Self.admin)
            let replayed = try await broker.core.outbox.events.replay(
                QueueSelection([.target: id], state: .dead), origin: Self.admin)
            try await worker.turn()

            #expect(dead.map(\.state) == [.dead, .dead], "\(dead)")
            #expect(disabled.first?.disabling?.reason == "answered with status 410")
            #expect(replayed == 2)
            #expect(try backend.messages(signedWith: secret).compactMap { $0["sequence"]?.integer } == [1, 1, 2])
        }
    }

    @Test func `have five seconds to answer`() async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        try await TestBroker.run({ $0.allowsInsecureLoopbackDeliveries = true }) { broker in
            _ = try await broker.addWebhook(
                at: "http://127.0.0.1:\(listener.localAddress?.port ?? 0)/", events: ["user.created"])
            _ = try await broker.signIn(broker.person("ada"))
            try await broker.eventWorker().turn()

            let delivery = try await broker.deliveries().first
            #expect(delivery?.state == .queued && delivery?.reason == "no answer within 5 s")
        }
        try await listener.close()
    }

    @Test(arguments: [
        "http://backend.example/", "ftp://backend.example/", "https://ann@backend.example/", "https://b.example/#x",
        "/x",
        "https://127.1/", "http://127.0.0.1:80/",
    ])
    func `cannot be added at a URL that must not be asked`(url: String) async throws {
        try await TestBroker.run { broker in
            let refusal = await #expect(throws: Webhooks.Refusal.self) { try await broker.addWebhook(at: url) }
            guard case .invalidURL = refusal else { throw TestFailure("\(String(describing: refusal))") }
            #expect(try await broker.core.outbox.events.webhooks.list().isEmpty)
        }
    }

    @Test func `at private addresses are not connected to, at any delivery`() async throws {
        let listener = try await SilentListener.start()
        try await TestBroker.run { broker in
            let (id, _) = try await broker.addWebhook(at: "https://localhost:\(listener.port)/")
            _ = try await broker.signIn(broker.person("ada"))
            try await broker.eventWorker().turn()

            #expect(try await broker.deliveries().first?.reason?.contains("no address that may be posted to") == true)
            guard case .failed = try await broker.core.outbox.events.webhooks.test(id) else {
                throw TestFailure("delivered")
            }
            #expect(listener.connections == 0)
        }
        try await listener.stop()
    }

    @Test func `whether a name has an address is not told, by a test nor by a delivery`() async throws {
        try await TestBroker.run { broker in
            let administrator = try await ConfigurationAdministrator(of: broker, scopes: [.readEvents, .writeEvents])
            var reasons: Set<String> = []
            for host in ["localhost", "no-such-host.invalid"] {
                let (id, _) = try await broker.addWebhook(at: "https://\(host)/")
                let tested = try await administrator.run("webhooks.test", ["webhook": .string(id)])
                #expect(tested["delivered"] == false, "\(tested.text)")
                reasons.insert(try tested.string("reason"))
            }
            _ = try await broker.signIn(broker.person("ada"))
            try await broker.eventWorker().turn()
            let events = try await administrator.run("events.list", [:])

            #expect(reasons.count == 1, "\(reasons)")
            let reason = try #require(reasons.first)
            // Of each webhook's deliveries the first was tried.
            let told = try await broker.deliveries().compactMap(\.reason)
            #expect(told == [reason, reason], "\(told)")
            #expect(events.text.contains(reason) && !events.text.contains("not allowed"), "\(events.text)")
        }
    }

    @Test func `are signed with both secrets for a day after a rotation, or with the new one alone`() async throws {
        try await TestBroker.runWithBackend { broker, backend in
            let webhooks = broker.core.outbox.events.webhooks
            let (id, first) = try await broker.addWebhook(at: backend.url)
            let second = try #require(
                try await webhooks.rotateSecret(of: id, endingPrevious: false, origin: Self.admin)?.secret.text)
            #expect(try await webhooks.test(id) == .delivered)
            #expect(try backend.messages(signedWith: second, first).last?["type"] == "webhook.test")
            broker.clock.advance(seconds: 86_400)
            #expect(try await webhooks.test(id) == .delivered)
            let third = try #require(
                try await webhooks.rotateSecret(of: id, endingPrevious: true, origin: Self.admin)?.secret.text)
            #expect(try await webhooks.test(id) == .delivered)

            let signatures = backend.site.visits.compactMap { $0.headers["webhook-signature"] }
            #expect(signatures.map { $0.split(separator: " ").count } == [2, 1, 1])
            #expect(Set([first, second, third]).count == 3)
            let events = try await broker.core.store.read { try $0.webhooks() }
            #expect(events.first?.previousSecret == nil)
        }
    }

    @Test func `events that no backend takes become dead letters, and go after their time`() async throws {
        try await TestBroker.runWithBackend(statuses: Array(repeating: 500, count: 100)) { broker, backend in
            _ = try await broker.addWebhook(at: backend.url, events: ["user.created"])
            let worker = broker.eventWorker(days: 1)
            _ = try await broker.signIn(broker.person("ada"))
            for _ in 0..<26 {
                try await worker.turn()
                broker.clock.advance(seconds: 3601)
            }
            let dead = try await broker.deliveries()
            #expect(dead.map(\.state) == [.dead] && dead[0].reason == "answered with status 500", "\(dead)")

            broker.clock.advance(seconds: 29 * 86_400)
            let store = broker.core.store
            func remove(_ days: Int) async throws -> Int {
                let end = Timestamp(broker.clock.now).advanced(by: .seconds(-days * 86_400))
                return try await store.write { try $0.remove(EventDelivery.self, .dead, endedBy: end, limit: 10) }
            }
            #expect(try await remove(30) == 0)
            broker.clock.advance(seconds: 2 * 86_400)
            #expect(try await remove(30) == 1)
        }
    }

    @Test func `are served by several brokers, each event once`() async throws {
        try await TestBroker.runWithBackend { broker, backend in
            let (_, secret) = try await broker.addWebhook(at: backend.url)
            try await broker.withSecondCore { second in
                for number in 0..<20 {
                    _ = try await broker.signIn(broker.simulator.add(.init(login: "user\(number)")))
                }
                let workers = [broker.eventWorker(), broker.eventWorker(second), broker.eventWorker()]
                try await withThrowingTaskGroup { group in
                    for worker in workers { group.addTask { while try await worker.turn() > 0 {} } }
                    try await group.waitForAll()
                }

                let messages = try backend.messages(signedWith: secret)
                #expect(messages.count == 40 && Set(messages.compactMap { $0["id"]?.string }).count == 40)
            }
        }
    }
}
