import Foundation
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("A migration of an Apple app's users that is killed", .timeLimit(.minutes(90)))
struct MigrationCrashTests {
    /// Kills in each phase.
    private static let kills = 3
    /// 100 000 in a soak run.
    private static let users = CrashRounds.count <= 3 ? 1000 : min(CrashRounds.count * 500, 100_000)
    private static let recipient = "RECIPIENT1"

    @Test func `goes on where it was, and migrates every user once`() async throws {
        try await Installation.run { broker in
            let apple = try await AppleSimulator.start()
            do {
                try await Self.migrate(broker, apple)
                await apple.stop()
            } catch {
                await apple.stop()
                throw error
            }
        }
    }

    private static func migrate(_ broker: Installation, _ apple: AppleSimulator) async throws {
        let app = apple.nativeApplication
        try broker.add([Self.entry(apple)])
        try broker.folder.write(Self.teams(apple, apple.register(.init(teamID: recipient))), to: "teams.json")
        let tables = StoreTables(of: broker)
        let source = "\(apple.url)/\(apple.teamID)"
        for sql in Self.population(source) { _ = try tables.rows(sql) }
        apple.addCrowd(users, of: app)

        try await Self.run("prepare", broker, apple)
        #expect(try tables.rows(Self.states) == [["prepared", "\(Self.users)"]])
        apple.transfer(app, to: recipient)
        try await Self.run("exchange", broker, apple)

        #expect(try tables.rows(Self.states) == [["applied", "\(Self.users)"]])
        let issuers = try tables.rows(
            "SELECT issuer, count(*) FROM identities WHERE provider = 'apple.com' GROUP BY issuer")
        #expect(issuers == [["\(apple.url)/\(recipient)", "\(Self.users)"]])
        let aliases = try tables.rows("SELECT issuer, count(*) FROM identity_aliases GROUP BY issuer")
        #expect(aliases == [[source, "\(Self.users)"]])
        let audited = try tables.rows("SELECT count(*) FROM audit WHERE event = 'identity.migrated'")
        #expect(audited == [["\(Self.users)"]])
    }

    /// Runs a phase, killed at random requests, to its end.
    private static func run(_ phase: String, _ broker: Installation, _ apple: AppleSimulator) async throws {
        let begin = apple.hits(.migration)
        for kill in 0..<kills {
            let point = begin + Int.random(in: kill * users / 4 + 1...(kill + 1) * users / 4)
            try await BrokerProcess.run(arguments(phase), in: broker.folder) { process in
                let hasEnded = Mutex(false)
                let end = Task {
                    _ = try? await process.exitCode()
                    hasEnded.withLock { $0 = true }
                }
                while apple.hits(.migration) < point, !hasEnded.withLock(\.self) { await Task.yield() }
                process.kill()
                await end.value
                #expect(apple.hits(.migration) >= point, "\(process.everything)")
            }
        }
        let result = try await CommandResult.broker(arguments("resume"), in: broker.folder)
        #expect(result.exitCode == 0, "\(result)")
    }

    private static func arguments(_ command: String) -> [String] {
        [
            "apple", "migrate", command, "--teams", "teams.json", "--provider", "apple.com", "--rate", "10000",
            "--concurrency", "8", "--json",
        ]
    }

    private static let states = "SELECT state, count(*) FROM migrating_subjects GROUP BY state ORDER BY state"

    /// Users with the subjects of the simulator's crowd.
    private static func population(_ source: String) -> [String] {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(users))"
        return [
            """
            \(numbers) INSERT INTO users (key, local_id, email_verified, disabled, custom_auth, created_at, epoch)
            SELECT i, 'crowd-' || CAST(i AS text), 0, 0, 0, 0, 0 FROM n
            """,
            """
            \(numbers) INSERT INTO identities (key, user_key, provider, issuer, subject, email, email_verified, profile,
                linked_at, last_sign_in_at, anonymous)
            SELECT i, i, 'apple.com', '\(source)', '000000.crowd.' || CAST(i AS text),
                CAST(i AS text) || '@privaterelay.appleid.com', 1, '{}', 0, 0, 0 FROM n
            """,
        ]
    }

    private static func entry(_ apple: AppleSimulator) -> JSONValue {
        [
            "id": "apple.com", "use": "apple", "trustEmail": true, "allowInsecureLoopback": true,
            "options": [
                "url": .string(apple.url), "teamId": .string(apple.teamID), "keyId": .string(apple.key.keyID),
                "privateKey": .string(apple.key.pem), "clientIds": [.string(apple.nativeApplication.clientID)],
            ],
        ]
    }

    private static func teams(_ apple: AppleSimulator, _ recipientKey: AppleSimulator.Key) -> String {
        func team(_ key: AppleSimulator.Key) -> JSONValue {
            [
                "teamId": .string(key.teamID), "keyId": .string(key.keyID), "privateKey": .string(key.pem),
                "clientId": .string(apple.nativeApplication.clientID),
            ]
        }
        let teams: JSONObject = ["from": team(apple.key), "to": team(recipientKey)]
        return JSONValue.object(teams).serialized()
    }
}
