import Apple
import Foundation
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("Apple: notifications")
struct AppleNotificationTests {
    /// Answers every request with Apple's keys.
    private struct KeySet: Upstream {
        let keys: IssuerKeys

        func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse { .json(keys.document) }
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// What the plugin says to a notification with these events; each has an id of its own.
    private static func events(
        _ events: JSONObject...
    ) async throws -> [ProviderEvent] {
        let keys = IssuerKeys()
        let options = ScriptedApple.fixture.options
        let upstream = KeySet(keys: keys)
        let provider = try #require(
            try ProviderPlugin.apple.provider(
                options: .object(options), decoder: JSONValueDecoder(unknownNames: .refused), path: "",
                in: ProviderContext(
                    id: "apple.com", upstream: upstream, tokens: StandaloneTokens(upstream: upstream, now: { now }),
                    now: { now })) as? any ProviderNotifications)
        #expect(provider.acceptsNotifications)
        var found: [ProviderEvent] = []
        for (number, event) in events.enumerated() {
            let claims: JSONObject = [
                "iss": "https://appleid.apple.com", "aud": .string(ScriptedApple.app),
                "jti": .string("event-\(number)"),
                "iat": 1_799_999_990, "exp": 1_800_003_600, "events": .string(JSONValue.object(event).serialized()),
            ]
            let body: JSONObject = ["payload": .string(keys.token(claims, type: nil, now: now))]
            let message = ProviderMessage(
                headers: [("Content-Type", "application/json")], body: Array(JSONValue.object(body).serialized().utf8))
            found += try await provider.verify(message).events
        }
        return found
    }

    @Test func `each notification is read for itself`() async throws {
        let found = try await Self.events(
            ["type": "consent-revoked", "sub": "001234.a.1", "event_time": 1_799_999_000_000],
            ["type": "account-deleted", "sub": "001234.b.1"])

        #expect(found.map(\.id) == ["event-0", "event-1"] && found.map(\.subject) == ["001234.a.1", "001234.b.1"])
        #expect(found.map(\.kind) == [.consentRevoked, .accountDeleted(removalDelay: 0)])
        #expect(found.map(\.occurredAt.timeIntervalSince1970) == [1_799_999_000, 1_799_999_990])
    }

    @Test func `a type that Apple adds one day is passed on, with or without a subject`() async throws {
        let found = try await Self.events(["type": "app-opened"], ["type": "app-opened", "sub": "001234.a.1"])

        #expect(found.map(\.kind) == [.unknown("app-opened"), .unknown("app-opened")])
        #expect(found.map(\.subject) == [nil, "001234.a.1"] && found.first?.id == "event-0")
        #expect(found.first?.occurredAt == Self.now.addingTimeInterval(-10))
        #expect(found.first?.expiresAt == Self.now.addingTimeInterval(3600))
    }

    @Test(
        arguments: [
            ["type": "consent-revoked"], ["type": "consent-revoked", "sub": ""],
            ["type": "consent-revoked", "sub": .string(String(repeating: "a", count: 256))],
            ["sub": "001234.a.1"],
            ["type": "consent-revoked", "sub": "001234.a.1", "event_time": 1_799_999_990],
            ["type": "consent-revoked", "sub": "001234.a.1", "event_time": "1799999990000"],
        ] as [JSONObject])
    func `a notification without type, subject or a time in milliseconds is refused`(event: JSONObject) async throws {
        let error = await #expect(throws: ProviderError.self) { try await Self.events(event) }
        #expect(error?.fault == .credential && error?.step == .verifyNotification)
    }
}
