import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The authorization endpoint")
struct AuthorizeTests {
    @Test func `an unknown client and an unregistered address are reported to the user and not redirected`()
        async throws
    {
        try await TestProviders.runHosted { broker, _ in
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            for changes: [String: String?] in [
                ["client_id": "nobody"], ["client_id": nil], ["redirect_uri": "https://evil.example/"],
                ["redirect_uri": nil], ["redirect_uri": TestApp.redirectURI + "/"],
                ["redirect_uri": TestApp.redirectURI.uppercased()],
            ] {
                let page = try await browser.visit(app.path(changes))
                #expect(page.status == 400 && !page.isForeign, "\(changes)")
                #expect(page.headers.first(name: "Content-Type") == "text/html; charset=utf-8")
            }
        }
    }

    @Test(
        arguments: [
            (["response_type": "token"], "unsupported_response_type"), (["response_type": nil], "invalid_request"),
            (["code_challenge": nil], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"), (["scope": "nothing"], "invalid_scope"),
            (["prompt": "none login"], "invalid_request"), (["prompt": "dance"], "invalid_request"),
            (["max_age": "-1"], "invalid_request"), (["request": "e30"], "request_not_supported"),
            (["request_uri": "https://app.example/request"], "request_uri_not_supported"),
            (["prompt": "none"], "login_required"), (["response_mode": "fragment"], "invalid_request"),
            (["provider": "unknown.example"], "invalid_request"), (["prompt": "link"], "invalid_request"),
            (["id_token_hint": "no.token.here"], "invalid_request"),
        ] as [([String: String?], String)])
    func `an invalid request is redirected with an error`(_ changes: [String: String?], _ error: String) async throws {
        try await TestProviders.runHosted { broker, _ in
            let app = try await TestApp(broker)
            let back = try await TestBrowser(broker).visit(app.path(changes))
            #expect(back.isForeign && back.url.hasPrefix(TestApp.redirectURI + "?"), "\(back.url)")
            #expect(back["error"] == error)
            #expect(back["state"] == app.state)
            #expect(back["iss"] == TestBrowser.publicURL)
        }
    }

    @Test func `an unredeemed code stays valid after a further sign-in of the same user, not of another`()
        async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let bob = try providers.person(at: "gitlab.com", email: "bob@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(ann)
            func code(of app: TestApp, _ person: TestPerson? = nil) async throws -> String {
                var page = try await browser.visit(
                    app.path(person.map { ["provider": $0.provider, "prompt": "login"] } ?? [:]))
                if let person { page = try await browser.submit(on: page, ["person": person.account]) }
                return try #require(page["code"], "\(page.url)")
            }
            let (first, second, third) = (
                try await TestApp(broker), try await TestApp(broker), try await TestApp(broker)
            )
            let early = try await code(of: first)
            let late = try await code(of: second, ann)
            #expect(try await first.redeem(early).status == 200)
            _ = try await code(of: third, bob)
            #expect(try await second.redeem(late).status == 400, "its session was Ann's, and Bob has replaced Ann")
        }
    }

    @Test func `a parameter that comes twice refuses the request`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let app = try await TestApp(broker)
            let page = try await TestBrowser(broker).visit(app.path() + "&redirect_uri=https%3A%2F%2Fevil.example%2F")
            #expect(page.status == 400 && !page.isForeign)
        }
    }

    @Test func `a signed-in user is redirected without interaction, also with prompt=none`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            let app = try await TestApp(broker)
            for changes: [String: String?] in [[:], ["prompt": "none"], ["provider": "gitlab.com"]] {
                let back = try await browser.visit(app.path(changes))
                #expect(back.isForeign && back["code"] != nil, "\(back.url) \(back.html)")
            }
        }
    }

    @Test func `an app's own button for another provider leads there`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            let app = try await TestApp(broker)
            let page = try await browser.visit(app.path(["provider": "github.com"]))
            #expect(page.url.hasPrefix(providers.gitHub.url))
        }
    }

    @Test func `a login that is too old for max_age, or prompt=login, is done again`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            let first = try #require(browser.sessionID)
            let app = try await TestApp(broker)
            broker.clock.advance(seconds: 100)
            providers.clock.advance(by: 100)
            #expect(try await browser.visit(app.path(["max_age": "3600"])).isForeign)
            for changes: [String: String?] in [["max_age": "60"], ["prompt": "login"], ["max_age": "0"]] {
                let chooser = try await browser.visit(app.path(changes))
                #expect(!chooser.isForeign, "\(changes)")
                let consent = try await browser.follow("GitLab", on: chooser)
                #expect(consent["prompt"] == "login")
                let back = try await browser.submit(on: consent, ["person": person.account])
                let tokens = try await app.redeem(try #require(back["code"]))
                let claims = try TestApp.claims(try tokens.string("id_token"))
                #expect(claims["auth_time"]?.integer == Int64(broker.clock.now.timeIntervalSince1970))
                broker.clock.advance(seconds: 100)
                providers.clock.advance(by: 100)
            }
            #expect(browser.sessionID != first)
        }
    }

    @Test func `max_age with prompt=none is refused for an old login`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker)
            broker.clock.advance(seconds: 10)
            let back = try await browser.visit(app.path(["prompt": "none", "max_age": "5"]))
            #expect(back["error"] == "login_required")
        }
    }

    @Test func `prompt=consent and select_account ask before the app learns anything`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker)
            for prompt in ["consent", "select_account"] {
                let question = try await browser.visit(app.path(["prompt": prompt]))
                #expect(!question.isForeign && question.html.contains("Test app"))
                let back = try await browser.submit("/continue", on: question)
                #expect(back.isForeign && back["code"] != nil, "\(prompt): \(back.html)")
            }
        }
    }

    @Test func `the provider an app names is gone to before anything is asked`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "gitlab.com", email: "ann@example.com"))
            let app = try await TestApp(broker)
            for prompt in ["consent", "select_account", nil] {
                let page = try await browser.visit(app.path(["provider": "github.com", "prompt": prompt]))
                #expect(page.url.hasPrefix(providers.gitHub.url), "\(prompt ?? "no prompt"): \(page.url)")
                // What the broker does not ask, the provider does.
                #expect((page["prompt"] == "select_account") == (prompt == "select_account"), "\(page.url)")
            }
            let silent = try await browser.visit(app.path(["provider": "github.com", "prompt": "none"]))
            #expect(silent["error"] == "interaction_required", "\(silent.url)")
        }
    }

    @Test func `a user who consents later than max_age signs in once more`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(ann)
            broker.clock.advance(seconds: 50)
            let question = try await browser.visit(
                try await TestApp(broker).path(["prompt": "consent", "max_age": "60"]))
            broker.clock.advance(seconds: 20)
            let chooser = try await browser.submit("/continue", on: question)
            #expect(!chooser.isForeign, "\(chooser.url)")
            let consent = try await browser.follow("GitHub", on: chooser)
            let again = try await browser.submit(on: consent, ["person": ann.account])
            #expect(try await browser.submit("/continue", on: again)["code"] != nil, "\(again.html)")
        }
    }

    @Test func `prompt=consent asks also after the user had to sign in`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["prompt": "consent", "provider": "github.com"]))
            let question = try await browser.submit(on: consent, ["person": person.account])
            #expect(!question.isForeign && question.html.contains("Test app"), "\(question.url)")
            #expect(try await browser.submit("/continue", on: question)["code"] != nil)
        }
    }

    @Test func `an app on the user's machine, which another program can impersonate, requires confirmation`()
        async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            let address = "http://127.0.0.1:4711/app-of-the-test"
            let app = try await TestApp(broker, kind: .native, redirectURIs: ["http://127.0.0.1/app-of-the-test"])
            let question = try await browser.visit(app.path(["redirect_uri": address]))
            #expect(!question.isForeign, "\(question.url)")
            let silent = try await browser.visit(app.path(["redirect_uri": address, "prompt": "none"]))
            #expect(silent["error"] == "interaction_required")
            let back = try await browser.submit("/continue", on: question)
            #expect(back.isForeign && back["code"] != nil, "\(back.html)")
        }
    }

    @Test func `control of the account requires consent whatever the app is`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker)
            let silent = try await browser.visit(app.path(["scope": "openid account", "prompt": "none"]))
            #expect(silent["error"] == "interaction_required", "\(silent.url)")
            let question = try await browser.visit(app.path(["scope": "openid account"]))
            #expect(!question.isForeign, "\(question.url)")
            #expect(question.html.contains("Control of your account"), "\(question.html)")
            #expect(try await browser.submit("/continue", on: question)["code"] != nil)
            #expect(try await browser.visit(app.path(["scope": "openid"]))["code"] != nil)
        }
    }

    @Test func `a user who declines is redirected to the app with an error`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let back = try await browser.follow("Back to", on: try await browser.visit(app.path()))
            #expect(back.isForeign && back["error"] == "access_denied" && back["state"] == app.state)
        }
    }

    @Test func `a hint for another user than the one who signs in is refused`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "github.com"]))
            let back = try await browser.submit(on: consent, ["person": ann.account])
            let token = try await app.redeem(try #require(back["code"])).string("id_token")

            let other = TestBrowser(broker)
            let again = app.another()
            let page = try await other.visit(again.path(["provider": "github.com", "id_token_hint": token]))
            let refused = try await other.submit(on: page, ["person": ben.account])
            #expect(refused["error"] == "login_required", "\(refused.url)")
            #expect(other.sessionID == nil)
            let users = try await broker.core.store.read { try $0.users(after: "", limit: 10) }
            #expect(users.count == 1)
        }
    }

    @Test func `a client that was removed meanwhile gets no code`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "github.com"]))
            _ = try await broker.core.openID.clients.remove(id: app.clientID, origin: Origin(.admin, actor: "test"))
            let page = try await browser.submit(on: consent, ["person": person.account])
            #expect(!page.isForeign && page.status == 400)
        }
    }
}
