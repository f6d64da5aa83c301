import Crypto
import Foundation
import ProviderSimulators
import Testing

/// Webhooks go to another simulator, whose revocation endpoint stands in for a listener: it records what comes.
@Suite("1Pass simulator: events")
struct OnePassEventTests {
    private func listening(
        outdatedSecret: Bool = false,
        _ body: (OnePassSimulator, OnePassSimulator.Application, OnePassSimulator) async throws -> Void
    ) async throws {
        try await OnePassSimulator.running { listener in
            listener.fail(.revoke, with: .status(200))
            let application = OnePassSimulator.Application(
                webhookURL: listener.url + "/oauth/revoke", hasOutdatedWebhookSecret: outdatedSecret)
            try await OnePassSimulator.running(
                .init(clock: .stopped(at: .epoch), application: application)
            ) { onePass in try await body(onePass, application, listener) }
        }
    }

    private static func signature(_ secret: String, _ body: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(body.utf8), using: SymmetricKey(data: Data(secret.utf8)))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `a webhook reports a merge with key name, time and signature`() async throws {
        try await listening { onePass, application, listener in
            let (ada, cleo) = (try onePass.named("ada"), try onePass.named("cleo"))
            for person in [ada, cleo] { _ = onePass.tokens(for: person, application: application) }
            let event = try #require(try await onePass.merge(cleo, into: ada, via: .deviceLink).first)
            let request = try #require(listener.requests(.revoke).first)
            let message = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            let data = try #require(message?["data"] as? [String: Any])

            let key = application.webhookKeys[0]
            let time = Int64(Date.epoch.timeIntervalSince1970)
            #expect(
                request.header("x-logi-signature")
                    == "t=\(time),kid=\(key.id),v1=\(Self.signature(key.secret, request.text))")
            #expect(request.header("x-logi-event-id") == event.id && message?["event_id"] as? String == event.id)
            #expect(message?["event_type"] as? String == "user.merged")
            #expect(data["survivor_canonical_sub"] as? String == ada.subject)
            #expect(data["merged_canonical_sub"] as? String == cleo.subject)
            #expect(data["merged_via"] as? String == "t1_device_link")
            #expect(request.text == event.body && request.text.hasPrefix(#"{"data":{"idempotency_key""#))
        }
    }

    @Test func `older events are signed with the application's secret, the time beside it`() async throws {
        try await listening { onePass, application, listener in
            await onePass.emit(.consentRevoked, about: try onePass.named("ada"), to: application)
            let request = try #require(listener.requests(.revoke).first)

            #expect(
                request.header("x-logi-signature")
                    == "sha256=" + Self.signature(application.webhookSecret, request.text))
            #expect(request.header("x-logi-timestamp") == String(Int64(Date.epoch.timeIntervalSince1970)))
            #expect(request.header("x-logi-secret-deprecated") == nil)
        }
    }

    @Test func `a secret that was never renewed no longer signs, and a header says so`() async throws {
        try await listening(outdatedSecret: true) { onePass, application, listener in
            await onePass.emit(.userDeleted, about: try onePass.named("ada"), to: application)
            let request = try #require(listener.requests(.revoke).first)

            #expect(
                request.header("x-logi-signature")
                    != "sha256=" + Self.signature(application.webhookSecret, request.text))
            #expect(request.header("x-logi-secret-deprecated") == "true" && request.header("deprecation") != nil)
        }
    }

    @Test func `webhooks come again and in any order, byte for byte the same`() async throws {
        try await listening { onePass, application, listener in
            onePass.behaviour.holdsWebhooks = true
            let ada = try onePass.named("ada")
            let first = try #require(await onePass.emit(.tokenRevoked, about: ada, to: application).first)
            let second = try #require(await onePass.emit(.userDeleted, about: ada, to: application).first)
            #expect(listener.hits(.revoke) == 0)
            onePass.clock.advance(by: 3600)

            let statuses = await onePass.deliver([second, first, second])

            #expect(statuses == [200, 200, 200])
            #expect(listener.requests(.revoke).map(\.text) == [second.body, first.body, second.body])
            let signatures = listener.requests(.revoke).map { $0.header("x-logi-signature") }
            #expect(signatures[0] == signatures[2])
        }
    }

    @Test func `an event that the listener did not accept is sent again`() async throws {
        try await listening { onePass, application, listener in
            listener.clearFaults()
            listener.fail(.revoke, with: .status(503), times: 1)
            await onePass.emit(.userUnlinked, about: try onePass.named("ada"), to: application)
            listener.fail(.revoke, with: .status(200))

            let again = await onePass.deliverWaiting()
            let done = await onePass.deliverWaiting()

            #expect(listener.hits(.revoke) == 2)
            #expect(again == [200] && done == [])
        }
    }

    @Test func `webhooks reach listeners on this machine only`() async throws {
        try await OnePassSimulator.running { onePass in
            for url in ["https://127.0.0.1:1/", "http://listener.example.test/", "http://127.0.0.1.example.test/"] {
                let application = onePass.register(.init(webhookURL: url))
                let events = await onePass.emit(.userDeleted, about: try onePass.named("ada"), to: application)
                #expect(await onePass.deliver(events) == [nil])
            }
        }
    }

    @Test func `polling shows an application its own events, page by page`() async throws {
        try await OnePassSimulator.running { onePass in
            let mine = onePass.defaultApplication
            let other = onePass.register(.init())
            let ada = try onePass.named("ada")
            for type in [OnePassSimulator.EventType.tokenRevoked, .userDeleted, .userMerged] {
                await onePass.emit(type, about: ada, to: mine)
            }
            await onePass.emit(.userUnlinked, about: ada, to: other)
            func types(_ page: [String: Any]) -> [String] {
                (page["events"] as? [[String: Any]] ?? []).compactMap { $0["event_type"] as? String }
            }

            let first = try await onePass.poll(mine, "?limit=2").json
            let cursor = try #require(first["next_cursor"] as? String)
            let second = try await onePass.poll(mine, "?limit=2&since=\(cursor)").json
            let merges = try await onePass.poll(mine, "?event_type=user.merged").json

            #expect(types(first) == ["token.revoked", "user.deleted"] && first["has_more"] as? Bool == true)
            #expect(types(second) == ["user.merged"] && second["has_more"] as? Bool == false)
            #expect(types(merges) == ["user.merged"])
            #expect(try await onePass.poll(mine, "?since=x").status == 400)
        }
    }

    @Test func `polling is for confidential clients that prove themselves`() async throws {
        try await OnePassSimulator.running { onePass in
            let open = onePass.register(.init(type: .public))
            var thief = onePass.defaultApplication
            thief.clientSecret = "guessed"

            let answers = [
                try await onePass.poll(open), try await onePass.poll(thief),
                try await WebClient.get(onePass.url + "/api/v1/events"),
            ]

            #expect(answers.map(\.status) == [401, 401, 401])
        }
    }
}
