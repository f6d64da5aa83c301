import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("RP-initiated logout")
struct SignOutByAppTests {
    private static let bye = "https://app.example/bye"

    @Test func `by a post with an ID token, which comes without cookies, ends what the token names`() async throws {
        try await Self.run { app, browser, idToken in
            let location = try await Self.post(
                app, [("id_token_hint", idToken), ("post_logout_redirect_uri", Self.bye), ("state", "s 1")])
            #expect(!location.contains("id_token_hint"), "ID tokens stay out of addresses")
            let page = try await browser.visit(location)
            #expect(page.url == Self.bye + "?state=s%201", "\(page.url)")
            #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"))
        }
    }

    @Test(arguments: ["no ID token", "the ID token of a session that has ended"])
    func `by a post without a valid ID token requires confirmation, and redirects back`(_ proof: String) async throws {
        try await Self.run { app, browser, idToken in
            var form = [("client_id", app.clientID), ("post_logout_redirect_uri", Self.bye)]
            if proof != "no ID token" {
                form.append(("id_token_hint", idToken))
                let claims = try TestApp.claims(idToken)
                let session = try #require(claims["sid"]?.string)
                _ = try await app.broker.core.sessions.revokeSession(session, origin: Origin(.admin, actor: "test"))
            }
            let question = try await browser.visit(try await Self.post(app, form))
            #expect(!question.isForeign && question.html.contains("Test app"), "\(question.url)")
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
            #expect(try await browser.submit("/sign-out", on: question).url == Self.bye)
            #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"))
        }
    }

    @Test func `with another app's ID token requires confirmation, and does not redirect`() async throws {
        try await Self.run { app, browser, idToken in
            let other = try await TestApp(app.broker)
            let query = [
                ("client_id", other.clientID), ("id_token_hint", idToken), ("post_logout_redirect_uri", Self.bye),
            ]
            let question = try await browser.visit("/oauth/logout?" + FormEncoding.encode(query))
            #expect(!question.isForeign && !question.html.contains(Self.bye), "\(question.url)")
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test(
        arguments: [
            ([.now], true), ([.revoking], false), ([.now, .revoking], false),
        ] as [([SigningKeyRotation], Bool)])
    func `an ID token is a hint long after its key was retired, not after that was revoked`(
        _ rotations: [SigningKeyRotation], _ isHint: Bool
    ) async throws {
        try await Self.run { app, browser, idToken in
            let broker = app.broker
            for timing in rotations {
                _ = try await broker.core.sessions.rotateSigningKeys([.es256], timing, origin: Origin(.admin))
                broker.clock.advance(seconds: 3 * 3600)
            }
            try await broker.core.sessions.openIDSigningKeys.reload()
            let again = try await browser.visit(app.another().path(["prompt": "none", "id_token_hint": idToken]))
            #expect((again["code"] != nil) == isHint, "\(again.url)")
            let query = [("id_token_hint", idToken), ("post_logout_redirect_uri", Self.bye)]
            let out = try await browser.visit("/oauth/logout?" + FormEncoding.encode(query))
            #expect((out.url == Self.bye) == isHint, "\(out.url)")
        }
    }

    /// An app with a user signed in, in a browser.
    private static func run(_ test: (TestApp, TestBrowser, _ idToken: String) async throws -> Void) async throws {
        try await TestProviders.runHosted { broker, providers in
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            try await test(app, browser, try await app.signIn(ann, in: browser).string("id_token"))
        }
    }

    /// What a form on an app's page does: no cookie of the broker's comes along.
    ///
    /// - Returns: Where the browser is sent.
    private static func post(_ app: TestApp, _ form: [(String, String)]) async throws -> String {
        let answer = try await app.broker.send(
            .POST, "/oauth/logout", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(FormEncoding.encode(form).utf8))
        #expect(answer.status == 303 && answer.headers["Set-Cookie"].isEmpty, "\(answer.text)")
        return try #require(answer.headers.first(name: "Location"))
    }
}
