import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass: events")
struct OnePassEventTests {
    /// What the plugin makes of the entries of an event feed that says this.
    private static func page(
        _ entries: [JSONValue], _ others: JSONObject = ["next_cursor": "c1"], after cursor: String? = nil
    ) async throws -> ProviderEventPage {
        var page: ProviderEventPage?
        try await OnePassFixture.running(options: ["eventPollInterval": 60]) { fixture in
            var answer = others
            answer["events"] = .array(entries)
            fixture.onePass.fail(
                .events,
                with: .status(200, body: JSONValue.object(answer).serialized(), contentType: "application/json"))
            page = try await #require(fixture.provider as? any ProviderEventFeed).events(after: cursor)
        }
        return try #require(page)
    }

    private static func event(_ changes: JSONObject) -> JSONValue {
        var event: JSONObject = [
            "event_id": "evt_1", "event_type": "consent.revoked", "occurred_at": "2027-01-15T08:00:00Z",
            "data": ["sub": "u1"],
        ]
        for (name, value) in changes { event[name] = value.isNull ? .none : .some(value) }
        return .object(event)
    }

    @Test(
        arguments: [
            ("consent.revoked", ["sub": "u1"], .consentRevoked, "u1"),
            ("user.unlinked", ["user_id": 7], .consentRevoked, "7"),
            ("user.grants_revoked", ["canonical_sub": "u1"], .grantsRevoked, "u1"),
            ("token.revoked", ["sub": "u1"], .accessTokenRevoked, "u1"),
            ("user.deleted", ["sub": "u1"], .accountDeleted(removalDelay: 30 * 86_400), "u1"),
            ("webhook_key.compromised", ["key_id": "k1"], .signingKeyCompromised(keyID: "k1"), nil),
            ("webhook_key.compromised", ["kid": "k2"], .signingKeyCompromised(keyID: "k2"), nil),
            ("user.invented", ["sub": "u1"], .unknown("user.invented"), "u1"),
            ("user.invented", [:], .unknown("user.invented"), nil),
            (
                "user.merged", ["primary_user_id": "u1", "linked_user_id": "u2", "merged_via": "t3_otp"],
                .accountsMerged(.init(survivor: "u1", absorbed: ["u2"], proven: ["u2"])), "u1"
            ),
            (
                "user.merged", ["canonical_sub": "u1", "merged_sub": "u2", "merged_via": "t2_email_match"],
                .accountsMerged(.init(survivor: "u1", absorbed: ["u2"], proven: [])), "u1"
            ),
        ] as [(String, JSONObject, ProviderEvent.Kind, String?)])
    func `each type of event has its meaning and its user`(
        type: String, data: JSONObject, kind: ProviderEvent.Kind, subject: String?
    ) async throws {
        let page = try await Self.page([Self.event(["event_type": .string(type), "data": .object(data)])])

        #expect(page.unreadable == 0)
        let event = try #require(page.events.first)
        #expect(event.id == "evt_1" && event.kind == kind && event.subject == subject)
        #expect(event.occurredAt == Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test(
        arguments: [
            ["event_id": ""], ["event_id": .string(String(repeating: "e", count: 256))], ["event_id": nil],
            ["event_type": nil], ["event_type": .string(String(repeating: "t", count: 256))],
            ["occurred_at": "yesterday"], ["occurred_at": nil],
            ["occurred_at": .string("2027-01-15T08:00:00." + String(repeating: "0", count: 30) + "Z")],
            ["data": [:]], ["data": nil], ["data": ["sub": .string(String(repeating: "u", count: 256))]],
            ["event_type": "user.merged", "data": ["canonical_sub": "u1"]],
            ["event_type": "webhook_key.compromised", "data": ["sub": "u1"]],
        ] as [JSONObject])
    func `an event that cannot be read stops no other one`(changes: JSONObject) async throws {
        let page = try await Self.page([Self.event(changes), Self.event(["event_id": "evt_2"])])
        #expect(page.events.map(\.id) == ["evt_2"] && page.unreadable == 1)
    }

    @Test func `a time may have fractions of a second`() async throws {
        let page = try await Self.page([Self.event(["occurred_at": "2027-01-15T08:00:00.250Z"])])
        let moment = try #require(page.events.first).occurredAt.timeIntervalSince1970
        #expect(abs(moment - 1_800_000_000.25) < 0.001)
    }

    @Test func `a feed goes on after its cursor, as our confidential client`() async throws {
        try await OnePassFixture.running(options: ["eventPollInterval": 60]) { fixture in
            let provider = try #require(fixture.provider as? any ProviderEventFeed)
            _ = try await provider.events(after: nil)
            _ = try? await provider.events(after: "c 1")
            let requests = fixture.onePass.requests(.events)

            #expect(provider.eventPollInterval == 60 && requests.count == 2)
            #expect(requests.allSatisfy { $0.header("authorization")?.hasPrefix("Basic ") == true })
            #expect(!requests[0].query.contains("since") && requests[1].query.contains("since=c%201"))
        }
        let page = try await Self.page([], ["has_more": true], after: "c1")
        #expect(page.cursor == "c1" && page.hasMore && page.events.isEmpty)
        await #expect(throws: ProviderError.self) { try await Self.page([Self.event([:])], [:]) }
    }

    @Test(arguments: [(401, ProviderError.Fault.configuration), (404, .configuration), (503, .upstream)])
    func `a feed that refuses our client is the operator's to mend`(status: Int, fault: ProviderError.Fault)
        async throws
    {
        try await OnePassFixture.running(options: ["eventPollInterval": 60]) { fixture in
            fixture.onePass.fail(
                .events, with: .status(status, body: #"{"events":[]}"#, contentType: "application/json"))
            let provider = try #require(fixture.provider as? any ProviderEventFeed)
            let error = await #expect(throws: ProviderError.self) { try await provider.events(after: nil) }
            #expect(error?.fault == fault && error?.step == .pollEvents)
        }
    }
}
