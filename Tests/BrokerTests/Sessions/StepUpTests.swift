import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("step-up authentication")
struct StepUpTests {
    private static func policy(_ rules: JSONValue) throws -> Policy {
        try Policy(reading: ["preset": "strict", "stepUp": rules])
    }

    private static let recent: JSONValue = [
        "acr": "urn:example:recent", "maxAge": 60,
        "routes": ["accounts:lookup", "accounts:update", "accounts:delete", "accounts:signInWithIdp"],
    ]

    @Test func `an Identity Toolkit route refuses an older login and says what is missing`() async throws {
        let policy = try Self.policy([Self.recent])
        try await TestBroker.run({ $0.policy = policy }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let idToken = try session.string("idToken")
            #expect(try await broker.lookup(idToken).status == 200)
            #expect(try await broker.update(session, ["displayName": "Ada"]).status == 200)
            broker.clock.advance(seconds: 61)

            for answer in [
                try await broker.lookup(idToken), try await broker.update(session, ["displayName": "Eve"]),
                try await broker.delete(session), try await broker.link(broker.person("ben"), to: session),
            ] {
                #expect(
                    answer.message == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN : Sign in again: urn:example:recent requires "
                        + "a login in the last 60 seconds.", "\(answer.text)")
            }
            let again = try await broker.signIn(broker.person("ada"))
            #expect(try await broker.lookup(again.string("idToken"))["users"]?.array?.first?["displayName"] == "Ada")
            #expect(try await broker.delete(again).status == 200)
        }
    }

    @Test func `a user without an identity may link and delete, having no login to repeat`() async throws {
        let policy = try Self.policy([Self.recent])
        try await TestBroker.run({ $0.policy = policy }) { broker in
            let session = try await broker.signUp()
            broker.clock.advance(seconds: 61)

            #expect(try await broker.lookup(session.string("idToken")).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(try await broker.delete(session).status == 200)
        }
    }

    @Test func `userinfo answers insufficient_user_authentication with what to request`() async throws {
        let policy = try Self.policy([
            ["acr": "urn:example:fresh", "maxAge": 60, "scopes": ["email"]],
            ["acr": "urn:example:daily", "maxAge": 86_400, "routes": ["/oauth/userinfo"]],
        ])
        try await TestBroker.run({ $0.policy = policy }) { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let withEmail = try await app.signIn(user).string("access_token")
            let without = try await app.signIn(user, scope: "openid offline_access")
            #expect(try await broker.userInfo(withEmail).status == 200)
            broker.clock.advance(seconds: 60)

            let answer = try await broker.userInfo(withEmail)

            #expect(answer.status == 401 && answer.oauthError == "insufficient_user_authentication")
            let challenge = try #require(answer.headers.first(name: "WWW-Authenticate"))
            #expect(challenge.contains(#"error="insufficient_user_authentication""#))
            #expect(challenge.contains(#"acr_values="urn:example:fresh""#))
            #expect(challenge.contains(#"max_age="60""#))
            #expect(try await broker.userInfo(without.string("access_token")).status == 200)
            broker.clock.advance(seconds: 86_400)
            let refreshed = try await app.refresh(without.string("refresh_token")).string("access_token")
            let daily = try await broker.userInfo(refreshed)
            #expect(daily.headers.first(name: "WWW-Authenticate")?.contains("urn:example:daily") == true)
        }
    }

    @Test func `acr_values asks for a new login, and the tokens name the class`() async throws {
        let policy = try Self.policy([["acr": "urn:example:fresh", "maxAge": 60]])
        try await TestProviders.runHosted({ $0.policy = policy }) { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            broker.clock.advance(seconds: 100)
            providers.clock.advance(by: 100)
            let app = try await TestApp(broker)
            let plain = try await app.redeem(try #require(try await browser.visit(app.path())["code"]))
            #expect(try TestApp.claims(plain.string("id_token"))["acr"] == nil)
            let silent = try await browser.visit(app.path(["acr_values": "urn:example:fresh", "prompt": "none"]))
            #expect(silent["error"] == "login_required")

            let chooser = try await browser.visit(app.path(["acr_values": "urn:other urn:example:fresh"]))
            let consent = try await browser.follow("GitLab", on: chooser)
            #expect(consent["prompt"] == "login")
            let back = try await browser.submit(on: consent, ["person": person.account])
            let tokens = try await app.redeem(try #require(back["code"]))

            for token in ["id_token", "access_token"] {
                #expect(try TestApp.claims(tokens.string(token))["acr"] == "urn:example:fresh")
            }
            let report = try await app.post(
                "/oauth/introspect", [("token", try tokens.string("access_token"))])
            #expect(report["acr"] == "urn:example:fresh")
            let renewed = try await app.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try tokens.string("refresh_token"))])
            #expect(try TestApp.claims(renewed.string("id_token"))["acr"] == "urn:example:fresh")
        }
    }

    @Test func `a scope that requires a provider offers no other, and refuses a session of another`() async throws {
        let policy = try Self.policy([
            ["acr": "urn:example:gitlab", "providers": ["gitlab.com"], "scopes": ["email"]]
        ])
        try await TestProviders.runHosted({ $0.policy = policy }) { broker, providers in
            let ann = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ben@example.com"))
            let app = try await TestApp(broker)
            #expect(try await browser.visit(app.path(["scope": "openid"])).isForeign)
            let github = try await browser.visit(app.path(["provider": "github.com"]))
            #expect(github["error"] == "unmet_authentication_requirements", "\(github.url)")

            let chooser = try await browser.visit(app.path())
            #expect(!chooser.isForeign && !chooser.html.contains(#"data-provider="github.com""#), "\(chooser.html)")
            let back = try await browser.submit(
                on: try await browser.follow("GitLab", on: chooser), ["person": ann.account])

            let tokens = try await app.redeem(try #require(back["code"], "\(back.url)"))
            #expect(try TestApp.claims(tokens.string("id_token"))["acr"] == "urn:example:gitlab")
            #expect(try await broker.userInfo(tokens.string("access_token")).status == 200)
        }
    }

    @Test func `a login without the required method is refused once, not asked for again`() async throws {
        let policy = try Self.policy([["acr": "urn:example:mfa", "methods": ["mfa"]]])
        try await TestProviders.runHosted({ $0.policy = policy }) { broker, providers in
            let ann = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let app = try await TestApp(broker)
            let chooser = try await browser.visit(app.path(["acr_values": "urn:example:mfa"]))

            let back = try await browser.submit(
                on: try await browser.follow("GitLab", on: chooser), ["person": ann.account])

            #expect(back["error"] == "unmet_authentication_requirements", "\(back.url)")
        }
    }

    @Test func `classes are announced, and a request for unknown ones alone is refused`() async throws {
        let policy = try Self.policy([["acr": "urn:example:fresh", "maxAge": 60]])
        try await TestProviders.runHosted({ $0.policy = policy }) { broker, _ in
            let document = try await broker.get("/.well-known/openid-configuration")
            #expect(document["acr_values_supported"] == ["urn:example:fresh"])
            let app = try await TestApp(broker)
            let back = try await TestBrowser(broker).visit(app.path(["acr_values": "urn:unknown"]))
            #expect(back["error"] == "unmet_authentication_requirements")
        }
        try await TestProviders.runHosted { broker, _ in
            #expect(try await broker.get("/.well-known/openid-configuration")["acr_values_supported"] == nil)
            let app = try await TestApp(broker)
            #expect(try await !TestBrowser(broker).visit(app.path(["acr_values": "urn:unknown"])).isForeign)
        }
    }

    @Test(
        arguments: [
            ["acr": "two words", "maxAge": 60], ["acr": "a"], ["acr": "a", "maxAge": 0], ["maxAge": 60],
            ["acr": "a", "maxAge": 60, "routes": ["accounts:nothing"]],
        ] as [JSONValue])
    func `a rule that could not work does not decode`(_ rule: JSONValue) {
        #expect(throws: (any Error).self) { try Self.policy([rule]) }
    }

    @Test(
        arguments: [
            [["acr": "a", "maxAge": 60, "scopes": ["phone"]]],
            [["acr": "a", "maxAge": 60], ["acr": "a", "maxAge": 6]],
        ] as [JSONValue])
    func `a broker with an unknown scope or a repeated acr in its rules does not start`(_ rules: JSONValue) async throws
    {
        let policy = try Self.policy(rules)
        await #expect(throws: ConfigurationError.self) { try await TestBroker.run({ $0.policy = policy }) { _ in } }
    }
}
