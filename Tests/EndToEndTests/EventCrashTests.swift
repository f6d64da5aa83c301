import AsyncHTTPClient
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("A broker that is killed while it receives events", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct EventCrashTests {
    private static let users = 12

    /// What the store says was done about every user, however often the events came.
    private static func effects(in broker: Installation) throws -> [String: Int] {
        let rows = try StoreTables(of: broker).rows(
            "SELECT local_id, count(*) FROM audit WHERE event = 'identity.consent-revoked' GROUP BY local_id")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", Int($0[1] ?? "") ?? 0) })
    }

    @Test func `applies every message that is sent until it is accepted, once`() async throws {
        try await Self.run { broker, onePass in
            for round in 0..<CrashRounds.count {
                let users = try await broker.serve { process, client in
                    let (users, events) = try await Self.signIn(round, onePass, at: client)
                    await withTaskGroup(of: Void.self) { group in
                        for event in events {
                            group.addTask { _ = try? await client.deliver(event) }
                        }
                        for _ in 0..<Int.random(in: 0...Self.users) { await group.next() }
                        process.kill()
                    }
                    _ = try await process.exitCode()
                    return (users, events)
                }
                try await broker.serve { _, client in
                    for event in users.1 {
                        let answer = try await client.deliver(event)
                        #expect(answer.status == 200, "\(answer)")
                    }
                }
                let effects = try Self.effects(in: broker)
                for user in users.0 { #expect(effects[user] == 1, "round \(round)") }
                let shown = try await broker.command("users", "show", users.0[0], "--json")
                let reports = try JSONValue(parsing: shown.output)["broker"]?["reports"]
                #expect(reports?["1pass.dev"]?["consentRevokedAt"]?.string != nil, "\(shown)")
            }
        }
    }

    @Test func `reads a feed to its end, and applies every event once`() async throws {
        try await Self.run { broker, onePass in
            for round in 0..<CrashRounds.count {
                try Self.setInterval(0, of: broker, onePass)
                let users = try await broker.serve { _, client in
                    try await Self.signIn(round, onePass, at: client).users
                }
                try Self.setInterval(10, of: broker, onePass)
                try Self.makeFeedDue(in: broker)
                for _ in 0..<2 {
                    let earlier = onePass.hits(.events)
                    try await broker.serve { process, client in
                        while onePass.hits(.events) == earlier { _ = try await client.get("/healthz") }
                        for _ in 0..<Int.random(in: 0...12) { _ = try await client.get("/healthz") }
                        process.kill()
                        _ = try await process.exitCode()
                    }
                    try Self.makeFeedDue(in: broker)
                }
                try await broker.serve { _, client in
                    while try Self.effects(in: broker).count(where: { users.contains($0.key) }) < users.count {
                        _ = try await client.get("/healthz")
                    }
                }
                let effects = try Self.effects(in: broker)
                for user in users { #expect(effects[user] == 1, "round \(round)") }
            }
        }
    }

    /// The position may be too young to be read again, and a dead broker's lease would have the next one wait.
    private static func makeFeedDue(in broker: Installation) throws {
        for change in ["provider_feeds SET polled_at = 0", "leases SET expires_at = 0"] {
            _ = try StoreTables(of: broker).rows("UPDATE " + change)
        }
    }

    private static func run(_ body: (Installation, OnePassSimulator) async throws -> Void) async throws {
        var behaviour = OnePassSimulator.Behaviour()
        behaviour.holdsWebhooks = true
        let onePass = try await OnePassSimulator.start(.init(behaviour: behaviour))
        do {
            try await Installation.run { broker in
                try setInterval(0, of: broker, onePass)
                try await body(broker, onePass)
            }
            await onePass.stop()
        } catch {
            await onePass.stop()
            throw error
        }
    }

    /// Writes the entry, with the seconds between two requests to the feed.
    private static func setInterval(_ seconds: Int64, of broker: Installation, _ onePass: OnePassSimulator) throws {
        let application = onePass.defaultApplication
        let key = application.webhookKeys[0]
        let keys: JSONObject = [key.id: .string(key.secret)]
        let entry: JSONValue = [
            "id": "1pass.dev", "use": "1pass", "allowInsecureLoopback": true,
            "options": [
                "url": .string(onePass.url), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""), "webhookKeys": .object(keys),
                "webhookSecret": .string(application.webhookSecret), "eventPollInterval": .integer(seconds),
            ],
        ]
        try broker.folder.write(JSONValue.object(["providers": [entry]]).serialized(), to: "plugins.json")
    }

    /// New users who have signed in, and the event of each: consent withdrawn.
    private static func signIn(
        _ round: Int, _ onePass: OnePassSimulator, at client: IdentityToolkitApp
    ) async throws -> (users: [String], events: [OnePassSimulator.Event]) {
        var (users, events): ([String], [OnePassSimulator.Event]) = ([], [])
        for _ in 0..<Self.users {
            let person = onePass.add(.init(preferredName: UUID().uuidString))
            let nonce = UUID().uuidString
            let tokens = onePass.tokens(for: person, application: onePass.defaultApplication, nonce: nonce)
            let answer = try await client.signIn(
                [("id_token", tokens.idToken ?? ""), ("access_token", tokens.accessToken), ("nonce", nonce)],
                provider: "1pass.dev")
            users.append(try IdentityToolkitApp.Session(answer).localID)
            events += await onePass.emit(.consentRevoked, about: person, to: onePass.defaultApplication)
        }
        return (users, events)
    }
}

extension IdentityToolkitApp {
    /// Posts a webhook as 1Pass does.
    fileprivate func deliver(_ event: OnePassSimulator.Event) async throws -> Answer {
        try await send(
            "POST", "/v1/broker/providers/1pass.dev/notifications",
            headers: event.headers.map { ($0.name, $0.value) }, body: event.body)
    }
}
