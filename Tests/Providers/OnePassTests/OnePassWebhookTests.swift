import Crypto
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass: webhooks")
struct OnePassWebhookTests {
    private static let key = "key-" + UUID().uuidString
    private static let olderSecret = "secret-" + UUID().uuidString
    private static let now: Int64 = 1_800_000_000

    private static let body = Array(
        #"{"event_id":"evt_1","event_type":"consent.revoked","occurred_at":"2027-01-15T07:59:00Z","data":{"sub":42}}"#
            .utf8)

    /// The HMAC-SHA-256 of the body in hexadecimal.
    private static func code(_ key: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(body), using: SymmetricKey(data: Data(key.utf8)))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func provider(_ changes: JSONObject = [:]) throws -> any ProviderNotifications {
        var options: JSONObject = ["clientId": "logi_1", "webhookKeys": ["k1": .string(key)]]
        for (name, value) in changes { options[name] = value }
        let clock = SimulatorClock.stopped(at: Date(timeIntervalSince1970: Double(now)))
        return try #require(try OnePassFixture.provider(options, clock: clock) as? any ProviderNotifications)
    }

    private static func message(_ headers: (name: String, value: String)...) -> ProviderMessage {
        ProviderMessage(headers: headers, body: body)
    }

    @Test(arguments: [0, -300, 300])
    func `a signature of a known key counts within the tolerance, and the key is named`(age: Int64) async throws {
        let signature = "t=\(Self.now - age), kid=k1,v1=\(Self.code(Self.key))"
        let verified = try await Self.provider().verify(
            Self.message(("X-Logi-Signature", signature), ("X-Logi-Event-Id", "evt_1")))
        #expect(verified.keyID == "k1" && verified.events.map(\.id) == ["evt_1"])
    }

    @Test(arguments: [
        "t=1799999699,kid=k1,v1=CODE", "t=1800000301,kid=k1,v1=CODE", "t=now,kid=k1,v1=CODE", "kid=k1,v1=CODE",
        "t=1800000000,kid=k2,v1=CODE", "t=1800000000,v1=CODE", "t=1800000000,kid=k1", "t=1800000000,kid=k1,v1",
        "t=1800000000,kid=k1,v1=", "t=1800000000,kid=k1,v1=CODE00", "t=1800000000,kid=k1,v1=00,v1=CODE",
        "t=1800000000,kid=k1,v1=xCODE", "t=1800000000,kid=k1,v1=OLDER", "", "sha256=OLDER",
    ])
    func `any other signature is refused`(signature: String) async throws {
        let signature = signature.replacing("CODE", with: Self.code(Self.key))
            .replacing("OLDER", with: Self.code(Self.olderSecret))
        let error = await #expect(throws: ProviderError.self) {
            try await Self.provider().verify(
                Self.message(("X-Logi-Signature", signature), ("X-Logi-Timestamp", "\(Self.now)")))
        }
        #expect(error?.fault == .credential && error?.step == .verifyNotification)
    }

    @Test(arguments: [(0, true), (300, true), (301, false), (-301, false)])
    func `the older format counts where its secret is set, within the tolerance`(age: Int64, counts: Bool) async throws
    {
        let provider = try Self.provider(["webhookSecret": .string(Self.olderSecret)])
        let message = Self.message(
            ("X-Logi-Signature", "sha256=" + Self.code(Self.olderSecret)), ("X-Logi-Timestamp", "\(Self.now - age)"))
        let verified = try? await provider.verify(message)

        #expect((verified != nil) == counts && verified?.keyID == nil)
    }

    @Test func `a header about another event, and what is no JSON, are refused`() async throws {
        let signature = "t=\(Self.now),kid=k1,v1=\(Self.code(Self.key))"
        await #expect(throws: ProviderError.self) {
            try await Self.provider().verify(
                Self.message(("X-Logi-Signature", signature), ("X-Logi-Event-Id", "evt_2")))
        }
        await #expect(throws: ProviderError.self) {
            try await Self.provider().verify(ProviderMessage(headers: [("X-Logi-Signature", signature)], body: [0x7B]))
        }
    }

    @Test func `a logout token is refused unless the entry takes them`() async throws {
        let form = ProviderMessage(
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array("logout_token=x".utf8))
        let error = await #expect(throws: ProviderError.self) { try await Self.provider().verify(form) }
        #expect(error?.reason.contains("backChannelLogout") == true)
    }
}
