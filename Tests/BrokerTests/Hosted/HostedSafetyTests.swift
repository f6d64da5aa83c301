import Broker
import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The safety of the hosted pages", .oneEngine("headers and forms of pages"))
struct HostedSafetyTests {
    @Test(arguments: [nil, "null", "https://evil.example", "http://127.0.0.1:1", "https://127.0.0.1"] as [String?])
    func `a form that comes from elsewhere is refused`(_ origin: String?) async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let refused = try await browser.submit("/account/sign-out", on: account, origin: .some(origin))
            #expect(refused.status == 403, "\(refused.html)")
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `a form counts for what it was made for, in the session it was made in`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let account = try await browser.signIn(person)
            let signOut = try #require(account.forms.first { $0.action == "/account/sign-out" }?.fields.first?.value)
            // Made for signing out, sent for deleting.
            #expect(try await browser.submit("/account/delete", on: account, ["form": signOut]).status == 400)
            #expect(try await browser.submit("/account/delete", on: account, ["form": nil]).status == 400)
            let app = try await TestApp(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit(app.path(["prompt": "login"])))
            _ = try await browser.submit(on: consent, ["person": person.account])
            #expect(try await browser.submit("/account/sign-out", on: account).status == 400, "another session")
        }
    }

    @Test func `a cookie that was not signed here opens nothing`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let cookie = try #require(browser.cookies["broker-session"])
            let id = try #require(browser.sessionID)
            for forged in ["ws1_\(id)", "ws1_\(id).", "ws1_\(id).AAAA", cookie + "A", String(cookie.dropLast()), ""] {
                browser.cookies["broker-session"] = forged
                #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"), "\(forged)")
            }
        }
    }

    @Test func `every sign-in begins a new session and revokes the earlier one`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            let earlier = browser.cookies
            let app = try await TestApp(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit(app.path(["prompt": "login"])))
            _ = try await browser.submit(on: consent, ["person": person.account])
            #expect(browser.cookies["broker-session"] != earlier["broker-session"])
            let old = TestBrowser(broker)
            old.cookies = earlier
            #expect(try await old.visit("/account").url.hasSuffix("/sign-in"))
        }
    }

    @Test func `signing out everywhere ends every browser and every app at once`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let first = TestBrowser(broker)
            _ = try await first.signIn(person)
            let second = TestBrowser(broker)
            let app = try await TestApp(broker)
            let tokens = try await app.signIn(person, in: second)
            let account = try await first.visit("/account")
            let sure = try await first.submit("/account/sign-out-everywhere", on: account)
            #expect(try await first.submit("/account/sign-out-everywhere", on: sure).status == 200)
            for browser in [first, second] {
                #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"))
            }
            let refreshed = try await app.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try tokens.string("refresh_token"))])
            #expect(refreshed["error"]?.string == "invalid_grant")
        }
    }

    @Test func `ending another session from the list ends what came from it as well`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let other = TestBrowser(broker)
            let app = try await TestApp(broker)
            let consent = try await other.visit(app.path(["provider": "github.com"]))
            _ = try await app.redeem(
                try #require(try await other.submit(on: consent, ["person": person.account])["code"]))
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(person)
            #expect(account.html.contains("Test app"))
            let forms = account.forms.filter { $0.action == "/account/session" }
            #expect(forms.count == 2)
            for form in forms {
                _ = try await browser.submit("/account/session", on: account, ["form": form.fields[0].value])
            }
            #expect(try await other.visit("/account").url.hasSuffix("/sign-in"))
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `only an app with the user's ID token signs the user out`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let app = try await TestApp(broker)
            let tokens = try await app.signIn(person, in: browser)
            // Without the user's ID token it is only a question.
            let asked = try await browser.visit("/oauth/logout?client_id=\(app.clientID)")
            #expect(asked.html.contains("/sign-out"))
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
            let unregistered = try await browser.visit(
                "/oauth/logout?" + FormEncoding.encode([("post_logout_redirect_uri", "https://evil.example/")]))
            #expect(!unregistered.isForeign)
            let out = try await browser.visit(
                "/oauth/logout?"
                    + FormEncoding.encode([
                        ("id_token_hint", try tokens.string("id_token")), ("state", "s 1"),
                        ("post_logout_redirect_uri", "https://app.example/bye"),
                    ]))
            #expect(out.url == "https://app.example/bye?state=s%201")
            #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"))
            let refreshed = try await app.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try tokens.string("refresh_token"))])
            #expect(refreshed.status == 400)
        }
    }

    @Test func `another site that posts a sign-out takes no cookie from the browser`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let page = try await broker.send(
                .POST, "/oauth/logout", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array("state=x".utf8))
            #expect(page.headers["Set-Cookie"].isEmpty, "\(page.headers)")
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `an account is deleted only with the box ticked`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let sure = try await browser.submit("/account/delete", on: account)
            #expect(try await browser.submit("/account/delete", on: sure).status == 400)
            #expect(try await broker.core.store.read { try $0.users(after: "", limit: 10) }.count == 1)
        }
    }

    @Test func `an administrator who ends a browser's session ends the apps' that came from it`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let tokens = try await app.signIn(person, in: browser)
            _ = try await broker.core.sessions.revokeSession(
                try #require(browser.sessionID), origin: Origin(.admin, actor: "test"))
            let refreshed = try await app.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try tokens.string("refresh_token"))])
            #expect(refreshed["error"]?.string == "invalid_grant")
        }
    }

    @Test func `an old ID token of an ended session signs no user out`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let tokens = try await app.signIn(person, in: browser)
            let (old, refresh) = (try tokens.string("id_token"), try tokens.string("refresh_token"))
            _ = try await app.post("/oauth/revoke", [("token", refresh)])
            _ = try await broker.send(
                .POST, "/oauth/logout", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array(FormEncoding.encode([("id_token_hint", old)]).utf8))
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `a disabled user is signed out at once and cannot sign in with any provider`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            let id = try #require(browser.sessionID)
            let localID = try #require(try await broker.core.store.read { try $0.sessionFacts(id: id) }).user.localID
            _ = try await broker.core.accounts.disableUser(
                true, localID: localID, origin: Origin(.admin, actor: "test"))
            #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"))
            #expect(try await browser.signIn(person).status == 400)
        }
    }

    @Test func `an unknown path answers a browser with a page and a program with an error`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let page = try await broker.send(.GET, "/nowhere", headers: ["Accept": "text/html,*/*;q=0.8"])
            #expect(page.status == 404 && page.text.contains("<html"))
            let answer = try await broker.send(.GET, "/nowhere")
            #expect(answer.status == 404 && answer.message == "Not Found")
        }
    }

    @Test func `pages run no scripts, cannot be framed and are not stored`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let page = try await TestBrowser(broker).visit("/sign-in")
            let policy = try #require(page.headers.first(name: "Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("script-src"))
            #expect(page.headers.first(name: "Cache-Control") == "no-store")
            #expect(page.headers.first(name: "Referrer-Policy") == "same-origin")
            #expect(page.headers["X-Content-Type-Options"] == ["nosniff"])
            #expect(!page.html.contains("<script"))
        }
    }

    @Test func `what a browser proved is said in the token, and nothing more`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let app = try await TestApp(broker)
            for (provider, provesPresence) in [
                ("github.com", false), ("gitlab.com", true), ("apple.com", true), ("1pass.dev", false),
            ] {
                let person = try providers.person(at: provider, email: "ann@\(provider).example")
                let browser = TestBrowser(broker)
                let consent = try await browser.visit(app.another().path(["provider": provider]))
                _ = try await browser.submit(on: consent, ["person": person.account])
                let id = try #require(browser.sessionID, "\(provider)")
                let session = try #require(try await broker.core.store.read { try $0.session(id: id) })
                let methods = session.authenticationMethods?.split(separator: " ") ?? []
                #expect(methods.first == "fed")
                #expect(methods.contains("user") == provesPresence, "\(provider): \(methods)")
            }
        }
    }
}
