import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Links that an app asks for")
struct LinkForClientTests {
    /// An app with a signed-in user, and the user's browser.
    private struct Session {
        let app: TestApp
        let browser: TestBrowser
        let idToken: String
    }

    private static func session(
        _ broker: TestBroker, _ person: TestPerson, in app: TestApp
    ) async throws -> Session {
        let browser = TestBrowser(broker)
        let app = app.another()
        let consent = try await browser.visit(app.path(["provider": person.provider]))
        let back = try await browser.submit(on: consent, ["person": person.account])
        let tokens = try await app.redeem(try #require(back["code"]))
        return Session(app: app, browser: browser, idToken: try tokens.string("id_token"))
    }

    /// Pushes the request for a link; the app's next sign-in is on its way.
    private static func push(_ session: Session, _ changes: [String: String?] = [:]) async throws -> (TestApp, Answer) {
        let app = session.app.another()
        var wanted: [String: String?] = [
            "prompt": "link", "provider": "gitlab.com", "id_token_hint": session.idToken, "client_id": nil,
        ]
        for (name, value) in changes { wanted[name] = value }
        return (app, try await app.post("/oauth/par", app.parameters(wanted)))
    }

    private static func open(_ app: TestApp, _ pushed: Answer, in browser: TestBrowser) async throws -> TestBrowser.Page
    {
        let query = FormEncoding.encode([
            ("client_id", app.clientID), ("request_uri", try pushed.string("request_uri")),
        ])
        return try await browser.visit("/oauth/authorize?" + query)
    }

    @Test func `the identity is linked when the app redeems the code with the user's own ID token`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try await Self.session(
                broker, try providers.person(at: "github.com", email: "ann@example.com"), in: try await TestApp(broker))
            let gitLab = try providers.person(at: "gitlab.com", email: "ann@work.example")
            let (app, pushed) = try await Self.push(ann)
            #expect(pushed.status == 201, "\(pushed.text)")
            let consent = try await Self.open(app, pushed, in: ann.browser)
            let back = try await ann.browser.submit(on: consent, ["person": gitLab.account])
            #expect(try await broker.providers(of: ann.browser) == ["github.com"])
            let linked = try await app.redeem(try #require(back["code"]), [("id_token_hint", ann.idToken)])
            #expect(linked.status == 200, "\(linked.text)")
            #expect(try await broker.providers(of: ann.browser) == ["github.com", "gitlab.com"])
            let claims = try TestApp.claims(try linked.string("id_token"))
            #expect(claims["sub"] == (try TestApp.claims(ann.idToken))["sub"])
            #expect(claims["nonce"]?.string == app.nonce)
        }
    }

    @Test func `a link that an attacker starts and a victim finishes changes no account`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let registered = try await TestApp(broker)
            let mallory = try await Self.session(
                broker, try providers.person(at: "github.com", email: "mallory@example.com"), in: registered)
            let victim = try await Self.session(
                broker, try providers.person(at: "1pass.dev", email: "vic@example.com"), in: registered)
            let victims = try providers.person(at: "gitlab.com", email: "vic@work.example")
            let (app, pushed) = try await Self.push(mallory)
            // The victim is lured to the attacker's request, and allows what their own provider asks.
            let consent = try await Self.open(app, pushed, in: victim.browser)
            let back = try await victim.browser.submit(on: consent, ["person": victims.account])
            let code = try #require(back["code"])
            // Their app has the victim's ID token, not the attacker's.
            let finished = try await app.redeem(code, [("id_token_hint", victim.idToken)])
            #expect(finished["error"]?.string == "invalid_grant")
            // And the code is burnt, should the attacker get hold of it.
            #expect(
                try await app.redeem(code, [("id_token_hint", mallory.idToken)])["error"]?.string == "invalid_grant")
            #expect(try await broker.providers(of: mallory.browser) == ["github.com"])
            #expect(try await broker.providers(of: victim.browser) == ["1pass.dev"])
        }
    }

    @Test(arguments: ["no verifier", "an empty verifier", "another verifier", "another client"])
    func `a failed exchange burns the link code`(failure: String) async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try await Self.session(
                broker, try providers.person(at: "github.com", email: "ann@example.com"), in: try await TestApp(broker))
            let gitLab = try providers.person(at: "gitlab.com", email: "ann@work.example")
            let (app, pushed) = try await Self.push(ann)
            let back = try await ann.browser.submit(
                on: try await Self.open(app, pushed, in: ann.browser), ["person": gitLab.account])
            let code = try #require(back["code"])
            let redeemer = failure == "another client" ? try await TestApp(broker) : app
            var form = [
                (name: "grant_type", value: "authorization_code"), ("code", code),
                ("redirect_uri", TestApp.redirectURI), ("id_token_hint", ann.idToken),
            ]
            switch failure {
            case "an empty verifier": form.append(("code_verifier", ""))
            case "another verifier": form.append(("code_verifier", RandomText.secret()))
            case "another client": form.append(("code_verifier", app.verifier))
            default: break
            }

            let failed = try await redeemer.post("/oauth/token", form)
            let retried = try await app.redeem(code, [("id_token_hint", ann.idToken)])

            #expect(failed.status == 400, "\(failed.text)")
            #expect(retried["error"]?.string == "invalid_grant", "\(retried.text)")
            #expect(try await broker.providers(of: ann.browser) == ["github.com"])
        }
    }

    @Test func `of twenty exchanges of one code exactly one links`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try await Self.session(
                broker, try providers.person(at: "github.com", email: "ann@example.com"), in: try await TestApp(broker))
            let gitLab = try providers.person(at: "gitlab.com", email: "ann@work.example")
            let (app, pushed) = try await Self.push(ann)
            let back = try await ann.browser.submit(
                on: try await Self.open(app, pushed, in: ann.browser), ["person": gitLab.account])
            let (code, idToken) = (try #require(back["code"]), ann.idToken)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await app.redeem(code, [("id_token_hint", idToken)]).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1, "\(statuses)")
        }
    }

    @Test(
        arguments: [
            (["id_token_hint": nil], "invalid_request"), (["provider": nil], "invalid_request"),
            (["prompt": "link login"], "invalid_request"),
            (["redirect_uri": "https://evil.example/"], "invalid_request"),
            (["code_challenge": nil], "invalid_request"), (["request_uri": "urn:x"], "invalid_request"),
        ] as [([String: String?], String)])
    func `an invalid request is refused when it is pushed`(_ changes: [String: String?], _ error: String) async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try await Self.session(
                broker, try providers.person(at: "github.com", email: "ann@example.com"), in: try await TestApp(broker))
            let (_, pushed) = try await Self.push(ann, changes)
            #expect(pushed.status == 400 && pushed["error"]?.string == error, "\(pushed.text)")
        }
    }

    @Test func `a login that is not recent asks for no link, nor does a session that has ended`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try await Self.session(
                broker, try providers.person(at: "github.com", email: "ann@example.com"), in: try await TestApp(broker))
            broker.clock.advance(seconds: 400)
            let (_, late) = try await Self.push(ann)
            #expect(late["error"]?.string == "login_required", "\(late.text)")
            broker.clock.advance(seconds: -400)
            let out = try await ann.browser.visit(
                "/oauth/logout?" + FormEncoding.encode([("id_token_hint", ann.idToken)]))
            #expect(out.status == 200)
            let (_, ended) = try await Self.push(ann)
            #expect(ended["error"]?.string == "login_required", "\(ended.text)")
        }
    }

    @Test func `a pushed request is good once, and for its own client`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try await Self.session(
                broker, try providers.person(at: "github.com", email: "ann@example.com"), in: try await TestApp(broker))
            let (app, pushed) = try await Self.push(ann)
            let stranger = try await TestApp(broker)
            let foreign = try await ann.browser.visit(
                "/oauth/authorize?"
                    + FormEncoding.encode([
                        ("client_id", stranger.clientID), ("request_uri", try pushed.string("request_uri")),
                    ]))
            #expect(foreign.status == 400 && !foreign.isForeign)
            #expect(try await Self.open(app, pushed, in: ann.browser).url.hasPrefix(providers.gitLab.url))
            let again = try await Self.open(app, pushed, in: ann.browser)
            #expect(again.status == 400, "\(again.url)")
        }
    }
}
