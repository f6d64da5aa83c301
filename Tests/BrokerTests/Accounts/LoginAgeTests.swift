import Broker
import BrokerStore
import Foundation
import Generic
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("the age of a login that an ID token attests")
struct LoginAgeTests {
    private static let month: Int64 = 30 * 86_400

    @Test func `auth_time is the signed one, however new the token is`() async throws {
        try await Self.run { broker, issuer in
            let login = Self.now(broker) - Self.month
            issuer.replaceClaim("auth_time", with: .integer(login))

            let answer = try await Self.signIn(broker, issuer)

            #expect(try broker.claims(of: answer)["auth_time"]?.integer == login)
            #expect(try await broker.delete(answer).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }

    @Test func `auth_time is iat where none is signed, and never in the future`() async throws {
        try await Self.run { broker, issuer in
            issuer.replaceClaim("auth_time", with: nil)
            let issued = Self.now(broker)
            let token = issuer.idToken(for: issuer.people()[0], application: issuer.defaultApplication)
            broker.clock.advance(seconds: 900)
            let early = try await Self.signIn(broker, issuer, token)
            issuer.replaceClaim("auth_time", with: .integer(Self.now(broker) + 7200))
            let future = try await Self.signIn(broker, issuer)

            #expect(try broker.claims(of: early)["auth_time"]?.integer == issued, "\(early.text)")
            #expect(try broker.claims(of: future)["auth_time"]?.integer == Self.now(broker))
        }
    }

    @Test func `a token older than an hour is refused, a login is not`() async throws {
        try await Self.run { broker, issuer in
            let now = Self.now(broker)
            issuer.replaceClaim("auth_time", with: .integer(now - Self.month))
            issuer.replaceClaim("exp", with: .integer(now + 86_400))
            let token = issuer.idToken(for: issuer.people()[0], application: issuer.defaultApplication)
            broker.clock.advance(seconds: 3600)
            let young = try await Self.signIn(broker, issuer, token)
            let other = issuer.idToken(for: issuer.people()[1], application: issuer.defaultApplication)
            broker.clock.advance(seconds: 61)
            let old = try await Self.signIn(broker, issuer, other)

            #expect(young.status == 200, "\(young.text)")
            #expect(old.code == "INVALID_IDP_RESPONSE", "\(old.text)")
        }
    }

    @Test func `where nothing is signed auth_time is now, and amr names the federation only`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.signIn(broker.person("ada"))

            #expect(try broker.claims(of: answer)["auth_time"]?.integer == Self.now(broker))
            #expect(try await Self.methods(of: answer, broker) == "fed")
        }
    }

    @Test func `the signed methods stand beside it`() async throws {
        try await Self.run { broker, issuer in
            issuer.replaceClaim("amr", with: ["pwd", "user"])

            let answer = try await Self.signIn(broker, issuer)

            #expect(try await Self.methods(of: answer, broker) == "fed pwd")
        }
    }

    @Test func `an ID token without a nonce is single-use, a minute's grace for the same user aside`() async throws {
        try await Self.run { broker, issuer in
            let token = issuer.idToken(for: issuer.people()[0], application: issuer.defaultApplication)
            let first = try await Self.signIn(broker, issuer, token)
            broker.clock.advance(seconds: 59)
            let repeated = try await Self.signIn(broker, issuer, token)
            broker.clock.advance(seconds: 2)

            let late = try await Self.signIn(broker, issuer, token)

            #expect(first.status == 200 && repeated["localId"] == first["localId"])
            #expect(late.message == "INVALID_IDP_RESPONSE : ID token was already used")
            #expect(try await broker.usePending(first.string("pendingToken"))["localId"] == first["localId"])
        }
    }

    @Test func `the ID token that came with a code signs no user in later`() async throws {
        try await Self.run { broker, issuer in
            let verifier = RandomText.alphanumeric(64)
            let application = issuer.defaultApplication
            let code = issuer.authorizationCode(
                for: issuer.people()[0], application: application, codeChallenge: CodeChallenge(of: verifier).text)
            let first = try await broker.signIn(postBody: [
                ("code", code), ("code_verifier", verifier), ("redirect_uri", application.redirectURIs[0]),
                ("providerId", "oidc.example"),
            ])
            broker.clock.advance(seconds: 120)

            let replay = try await Self.signIn(broker, issuer, first.string("oauthIdToken"))

            #expect(first.status == 200, "\(first.text)")
            #expect(replay.message == "INVALID_IDP_RESPONSE : ID token was already used")
        }
    }

    private static func now(_ broker: TestBroker) -> Int64 { Int64(broker.clock.now.timeIntervalSince1970) }

    private static func signIn(
        _ broker: TestBroker, _ issuer: OpenIDSimulator, _ token: String? = nil
    ) async throws -> Answer {
        let token = token ?? issuer.idToken(for: issuer.people()[0], application: issuer.defaultApplication)
        return try await broker.signIn(postBody: [("id_token", token), ("providerId", "oidc.example")])
    }

    private static func methods(of answer: Answer, _ broker: TestBroker) async throws -> String? {
        let claims = try broker.claims(of: answer)
        let id = try #require(claims["sid"]?.string ?? claims["broker"]?["sid"]?.string)
        return try await broker.core.store.read { try $0.session(id: id) }?.authenticationMethods
    }

    private static func run(_ test: (TestBroker, OpenIDSimulator) async throws -> Void) async throws {
        let time = TestClock()
        let issuer = try await OpenIDSimulator.start(.init(clock: .stopped(at: time.now)))
        let application = issuer.defaultApplication
        let entry: JSONValue = [
            "id": "oidc.example", "use": "oidc", "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(issuer.url), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""),
            ],
        ]
        try await TestBroker.run(
            { $0.policy.providerTokens = .client }, plugins: [.oidc], entries: { _ in [entry] }, clock: time
        ) { broker in
            try await test(broker, issuer)
        }
        await issuer.stop()
    }
}
