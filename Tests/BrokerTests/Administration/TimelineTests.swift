import BrokerStore
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("the timeline of a user")
struct TimelineTests {
    private static func call(_ broker: TestBroker) -> AdminCall {
        AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
    }

    /// A user who signs in with one identity and adds the other 41 seconds later.
    private static func link(_ broker: TestBroker) async throws -> String {
        let session = try await broker.signIn(broker.person("ada"))
        broker.clock.advance(seconds: 41)
        let token = broker.simulator.accessToken(
            for: try broker.person("ada"), application: broker.simulator.application(of: "github.work"))
        let linked = try await broker.signIn(
            postBody: [("access_token", token), ("providerId", "github.work")],
            extra: ["idToken": .string(try session.string("idToken"))])
        return try linked.string("localId")
    }

    @Test func `says why each identity belongs to the user, with the proof before a link`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let localID = try await Self.link(broker)

            let shown = try await ShowTimeline(user: localID).run(for: Self.call(broker))

            let name = broker.core.providers.current.displayName(of: "github.com")
            #expect(
                shown.identities?.map(\.sentence) == [
                    "Created the user, because no user has the identity or its address.",
                    "Added because the user had proved \(name) 41 seconds before.",
                ])
            #expect(shown.identities?.map(\.rule) == ["S5", "L3"] && shown.identities?.first?.name == "ada")
            let link = try #require(shown.entries.first { $0.event == "identity.linked" })
            let work = broker.core.providers.current.displayName(of: "github.work")
            #expect(link.sentence == "\(work)'s ada was added because the user had proved \(name) 41 seconds before.")
            #expect(
                link.rule == "L3" && link.ruleText == AccountRule.linkFreeIdentity.sentence && link.kind == .decision)
            #expect(link.requestId != nil && shown.next == nil)
        }
    }

    @Test func `merges audit and refusals page by page, newest first`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let localID = try await Self.link(broker)
            let call = Self.call(broker)
            _ = try await DisableUserOperation(user: localID).run(for: call)
            broker.clock.advance(seconds: 5)
            let refused = try await broker.signIn(broker.person("ada"))

            let all = try await ShowTimeline(user: localID, limit: 500).run(for: call)
            var paged: [String] = []
            var next: String?
            repeat {
                let page = try await ShowTimeline(user: localID, limit: 1, after: next).run(for: call)
                #expect((page.identities == nil) == (next != nil))
                paged += page.entries.map(\.sentence)
                next = page.next
            } while next != nil

            let failure = try #require(all.entries.first)
            #expect(paged == all.entries.map(\.sentence))
            #expect(failure.kind == .failure && failure.rule == "S1-disabled")
            #expect(failure.sentence.contains("USER_DISABLED") && failure.sentence.contains("is disabled"))
            #expect(failure.requestId == refused.headers.first(name: "X-Request-Id"))
            let disabled = try #require(all.entries.first { $0.event == "user.disabled" })
            #expect(disabled.sentence == "The user was disabled by the administrator test.")
        }
    }

    @Test func `shows one kind alone, however many entries of another one stand before it`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let (localID, call) = (try await Self.link(broker), Self.call(broker))
            _ = try await DisableUserOperation(user: localID).run(for: call)
            _ = try await broker.signIn(broker.person("ada"))
            func change(_ count: Int) async throws {
                try await broker.core.store.write(at: broker.core.now, by: call.origin) { transaction in
                    for _ in 0..<count {
                        try transaction.audit("user.updated", of: localID, detail: ["fields": ["displayName"]])
                    }
                }
            }
            broker.clock.advance(seconds: 5)
            try await change(250)
            let all = try await ShowTimeline(user: localID, limit: 500).run(for: call).entries
            for kind in ShowTimeline.Kind.allCases {
                var (found, next): ([ShowTimeline.Entry], String?) = ([], nil)
                repeat {
                    let page = try await ShowTimeline(user: localID, kind: kind, limit: 100, after: next)
                        .run(for: call)
                    found += page.entries
                    next = page.next
                } while next != nil
                #expect(found.map(\.event) == all.filter { $0.kind == kind }.map(\.event), "\(kind)")
                #expect(!found.isEmpty && found.allSatisfy { $0.kind == kind })
            }

            // Beyond 2000 entries of other kinds a page ends, and the next one goes on.
            broker.clock.advance(seconds: 5)
            try await change(2000)
            let empty = try await ShowTimeline(user: localID, kind: .failure).run(for: call)
            #expect(empty.entries.isEmpty && empty.next != nil)
            let rest = try await ShowTimeline(user: localID, kind: .failure, after: empty.next).run(for: call)
            #expect(rest.entries.map(\.event) == [HistoryEntry.refused] && rest.next == nil)
            #expect(
                try await ShowTimeline(user: localID, kind: .decision, limit: 1, after: empty.next).run(for: call).next
                    != nil)
        }
    }

    @Test func `has a sentence for each event of a user`() async throws {
        try await TestBroker.run { broker in
            let names = TimelineNames(
                providers: broker.core.providers.current, identities: [], clients: [:], administrators: [:])
            let ofNoUser = [
                "admin-credential.", "admin.", "audit.", "client.", "configuration.", "console.", "event.",
                "master-key.",
                "migration.", "probes.", "provider.", "service-account.", "settings.", "signing-key.", "webhook.",
            ]
            for event in AuditEvents.names {
                let entry = AuditEntry(
                    key: 1, at: Timestamp(milliseconds: 0), actorKind: .user, event: event, localID: "user",
                    provider: "github.com")
                let sentence = names.sentence(of: entry, proof: nil)
                let isKnown = !sentence.lowercased().hasPrefix(event.lowercased())
                #expect(isKnown == !ofNoUser.contains { event.hasPrefix($0) }, "\(event): \(sentence)")
                #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true, "\(sentence)")
            }
        }
    }

    @Test func `users show prints a page with times of ISO 8601, and what users wrote is text`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let localID = try await Self.link(broker)
            let operation = ShowUser(user: localID)
            var record = try await operation.run(for: Self.call(broker))
            record["displayName"] = "Ada\u{1B}[2J\nState  owner"

            let page = try operation.text(of: record).description

            let lines = page.split(separator: "\n")
            let created = try #require(lines.first { $0.hasPrefix("Created") })
            #expect(created.contains(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/))
            #expect(lines.contains { $0.hasPrefix("Local ID") && $0.hasSuffix(localID) })
            #expect(page.contains("github.work") && !page.contains("\u{1B}"))
            #expect(lines.filter { $0.hasPrefix("State") }.count == 1)
        }
    }
}
