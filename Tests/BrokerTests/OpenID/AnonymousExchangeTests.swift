import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("A native app's user without an account")
struct AnonymousExchangeTests {
    /// A broker where anonymous users are allowed.
    private static func run(_ test: (NativeApp, TestProviders) async throws -> Void) async throws {
        try await TestProviders.runHosted({ $0.allowsAnonymousSignIn = true }) { broker, providers in
            try await test(try await NativeApp(at: broker), providers)
        }
    }

    @Test func `has a session that is refreshed and says that nothing was proven`() async throws {
        try await Self.run { native, _ in
            let answer = try await native.beginAnonymously()

            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["issued_token_type"]?.string == NativeApp.accessTokenType)
            let claims = try answer.claims()
            #expect(claims["amr"] == nil && claims["email"] == nil)
            let account = try await native.get("", answer)
            #expect(account["localId"] == claims["sub"] && account["providerUserInfo"] == [])
            let refreshed = try await native.app.refresh(try answer.string("refresh_token"))
            #expect(try refreshed.claims()["sub"] == claims["sub"], "\(refreshed.text)")
            let events = try await native.broker.events(of: claims["sub"]?.string ?? "")
            #expect(Set(events) == ["user.created", "session.started"])
        }
    }

    @Test func `is refused where there are none`() async throws {
        try await TestProviders.run({ $0.allowsAnonymousSignIn = false }) { broker, _ in
            let answer = try await NativeApp(at: broker).beginAnonymously()
            #expect(answer.oauthError == "invalid_grant" && answer.refusal == "ADMIN_ONLY_OPERATION", "\(answer.text)")
        }
    }

    @Test func `is a new user: neither a token nor an actor stands for one`() async throws {
        try await Self.run { native, _ in
            let first = try await native.beginAnonymously()
            let answers = [
                try await native.beginAnonymously(["subject_token": "someone"]),
                try await native.beginAnonymously(actor: first),
            ]
            for answer in answers { #expect(answer.oauthError == "invalid_request", "\(answer.text)") }
            #expect(try await native.beginAnonymously().claims()["sub"] != first.claims()["sub"])
        }
    }

    @Test(arguments: [false, true])
    func `keeps session and subject when an identity is linked, with the login of that identity`(
        isInBrowser: Bool
    ) async throws {
        try await Self.run { native, providers in
            let anonymous = try await native.beginAnonymously()
            providers.advance(1000, with: native.broker)

            let linked =
                isInBrowser
                ? try await Self.linkInBrowser(anonymous, native, providers)
                : try await native.exchange(
                    providers.person(at: "apple.com", email: "ann@example.com").credential(), actor: anonymous)

            #expect(linked.status == 200, "\(linked.text)")
            let (before, after) = (try anonymous.claims(), try linked.claims())
            #expect(after["sub"] == before["sub"] && after["sid"] == before["sid"])
            #expect(after["auth_time"]?.integer == Int64(native.broker.clock.now.timeIntervalSince1970))
            #expect(after["amr"] == ["fed"])
            #expect(after["email"] == "ann@example.com")
            let refreshed = try await native.app.refresh(anonymous.string("refresh_token"))
            #expect(try refreshed.claims()["auth_time"] == after["auth_time"])
            let provider = isInBrowser ? "gitlab.com" : "apple.com"
            let sessions = try await native.get("/sessions", linked)
            #expect(sessions["sessions"]?.array?.compactMap { $0["signInProvider"]?.string } == [provider])
            // The login is recent enough to delete the account, which it would not be without the link.
            #expect(try await native.post(":delete", linked).status == 200)
        }
    }

    /// Links an identity of GitLab by a pushed request.
    private static func linkInBrowser(
        _ session: Answer, _ native: NativeApp, _ providers: TestProviders
    ) async throws -> Answer {
        let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
        let (browser, verifier) = (TestBrowser(native.broker), RandomText.secret())
        let redirectURI = "com.example.app:/callback"
        let pushed = try await native.app.post(
            "/oauth/par",
            [
                ("response_type", "code"), ("scope", "openid"), ("redirect_uri", redirectURI), ("prompt", "link"),
                ("provider", "gitlab.com"), ("id_token_hint", try session.string("id_token")),
                ("code_challenge", CodeChallenge(of: verifier).text), ("code_challenge_method", "S256"),
            ])
        let query = FormEncoding.encode([
            ("client_id", native.app.client.id), ("request_uri", try pushed.string("request_uri")),
        ])
        let consent = try await browser.visit("/oauth/authorize?" + query)
        let back = try await browser.submit(on: consent, ["person": person.account])
        let code = try #require(back["code"], "\(back.url)")
        return try await native.app.post(
            "/oauth/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
                ("code_verifier", verifier), ("id_token_hint", try session.string("id_token")),
            ])
    }

    @Test func `is upgraded only by a session that was begun with the scope account`() async throws {
        try await Self.run { native, providers in
            let anonymous = try await native.beginAnonymously(scope: "openid offline_access")

            let answer = try await native.exchange(
                providers.person(at: "apple.com", email: "ann@example.com").credential(), actor: anonymous)

            #expect(answer.status == 400 && answer.oauthError == "invalid_scope", "\(answer.text)")
        }
    }

    @Test func `gets a login of its own only by a link, not by a later one`() async throws {
        try await Self.run { native, providers in
            let anonymous = try await native.beginAnonymously()
            let apple = try providers.person(at: "apple.com", email: "ann@example.com")
            let first = try await native.exchange(apple.credential(), actor: anonymous)
            providers.advance(100, with: native.broker)

            let second = try await native.exchange(
                providers.idTokenCredential(at: "1pass.dev", forging: nil), actor: first)

            #expect(second.status == 200, "\(second.text)")
            #expect(try second.claims()["auth_time"] == first.claims()["auth_time"])
        }
    }
}
