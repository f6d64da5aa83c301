import Broker
import BrokerStore
import Foundation
import Generic
import GitHub
import NIOHTTP1
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Back-channel logout", .timeLimit(.minutes(20)))
struct BackChannelLogoutTests {
    private static let id = "oidc.keycloak"

    /// A broker with an OpenID provider, and a user who has signed in there.
    private static func signedIn(
        acceptsLogout: Bool = true,
        _ test: (TestBroker, OpenIDSimulator, OpenIDSimulator.Person, Answer) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let provider = try await OpenIDSimulator.start(.init(clock: .stopped(at: clock.now)))
        let entry: JSONValue = [
            "id": .string(id), "use": "oidc", "trustEmail": true, "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(provider.url), "clientId": .string(provider.defaultApplication.clientID),
                "clientSecret": .string(provider.defaultApplication.clientSecret ?? ""),
                "backChannelLogout": .bool(acceptsLogout),
            ],
        ]
        do {
            try await TestBroker.run(
                plugins: [.github, .oidc], entries: { [TestBroker.gitHub($0), entry] }, clock: clock
            ) { broker in
                let person = provider.people()[0]
                let token = provider.idToken(for: person, application: provider.defaultApplication)
                let session = try await broker.signIn(postBody: [("id_token", token), ("providerId", id)])
                clock.advance(seconds: 60)
                provider.clock.advance(by: 60)
                try await test(broker, provider, person, session)
            }
            await provider.stop()
        } catch {
            await provider.stop()
            throw error
        }
    }

    private static func log(out token: String, at broker: TestBroker) async throws -> Answer {
        try await broker.notify(
            id, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: FormEncoding.encode([(name: "logout_token", value: token)]))
    }

    @Test func `a logout token ends the sessions that began with the identity, once`() async throws {
        try await Self.signedIn { broker, provider, person, session in
            let gitHub = try await broker.signIn(broker.person("ben"))
            let token = provider.logoutToken(of: person.subject, for: provider.defaultApplication.clientID)

            let answer = try await Self.log(out: token, at: broker)
            let again = try await broker.signIn(postBody: [
                ("id_token", provider.idToken(for: person, application: provider.defaultApplication)),
                ("providerId", Self.id),
            ])
            let replayed = try await Self.log(out: token, at: broker)

            #expect(answer.status == 200 && answer.headers["Cache-Control"] == ["no-store"])
            #expect(replayed.status == 200)
            #expect(try await broker.lookup(session.string("idToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.lookup(gitHub.string("idToken")).status == 200)
            #expect(try await broker.lookup(again.string("idToken")).status == 200)
            #expect(again["localId"] == session["localId"])
        }
    }

    @Test func `a logout that is older than the login leaves it`() async throws {
        try await Self.signedIn { broker, provider, person, _ in
            let token = provider.logoutToken(of: person.subject, for: provider.defaultApplication.clientID)
            broker.clock.advance(seconds: 30)
            provider.clock.advance(by: 30)
            let later = try await broker.signIn(postBody: [
                ("id_token", provider.idToken(for: person, application: provider.defaultApplication)),
                ("providerId", Self.id),
            ])

            let answer = try await Self.log(out: token, at: broker)

            #expect(answer.status == 200)
            #expect(try await broker.lookup(later.string("idToken")).status == 200)
        }
    }

    @Test func `a token that breaks a rule of the specification is refused`() async throws {
        try await Self.signedIn { broker, provider, person, session in
            let client = provider.defaultApplication.clientID
            let old = broker.clock.now.addingTimeInterval(-3600)
            let broken: [(String, JSONObject)] = [
                ("nonce", ["nonce": "n"]), ("no events", ["events": .null]),
                ("another event", ["events": ["https://example.com/event": [:]]]), ("no jti", ["jti": .null]),
                ("no iat", ["iat": .null]), ("issuer", ["iss": "https://other.example"]),
                ("audience", ["aud": "other"]), ("no user", ["sub": .null]),
                ("expired", ["exp": .integer(1_500_000_000)]),
                ("old", ["iat": .integer(Int64(old.timeIntervalSince1970)), "exp": .null]),
            ]

            for (name, changes) in broken {
                let token = provider.logoutToken(of: person.subject, for: client, changing: changes)
                let answer = try await Self.log(out: token, at: broker)
                #expect(answer.status == 400 && answer.code == "INVALID_NOTIFICATION", "\(name)")
            }
            let idToken = provider.idToken(for: person, application: provider.defaultApplication)
            #expect(try await Self.log(out: idToken, at: broker).status == 400)
            provider.forgery = .foreignKey
            let forged = provider.logoutToken(of: person.subject, for: client)
            provider.forgery = nil
            #expect(try await Self.log(out: forged, at: broker).status == 400)
            #expect(try await broker.notify(Self.id, body: "{}").status == 400)

            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `it is off by default`() async throws {
        try await Self.signedIn(acceptsLogout: false) { broker, provider, person, session in
            let token = provider.logoutToken(of: person.subject, for: provider.defaultApplication.clientID)

            let answer = try await Self.log(out: token, at: broker)

            #expect(answer.status == 404)
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }
}
