import Broker
import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("A redirect to a provider and its answer")
struct FederationLegTests {
    @Test func `of twenty copies of one answer exactly one signs in`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let courier = TestBrowser(broker)
            let consent = try await browser.follow("GitLab", on: try await browser.visit("/sign-in"))
            let url = try await courier.answer(on: consent, person)
            let cookies = browser.cookies
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let copy = TestBrowser(broker)
                        copy.cookies = cookies
                        return try await copy.open(url).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1, "\(statuses)")
            #expect(statuses.filter { $0 == 400 }.count == 19, "\(statuses)")
        }
    }

    @Test func `the page of a sign-in that has expired, or was never begun, leads to a new one`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let url = try await TestBrowser(broker).answer(on: consent, person)
            broker.clock.advance(seconds: 3600)

            let ended = "This sign-in has ended"
            for (page, text) in [
                (try await browser.open(url), "This sign-in has expired"),
                (try await TestBrowser(broker).open(url), ended),
                (try await browser.visit("/oauth/callback/github.com?code=c&state=unknown"), ended),
                (try await browser.visit("/oauth/callback/unknown.example?code=c&state=unknown"), ended),
            ] {
                #expect(page.status == 400 && page.html.contains(text), "\(page.html)")
                let link = page.links.first { $0.address == "/sign-in" }
                #expect(link?.text.contains("Start again") == true, "\(page.links)")
            }
        }
    }

    @Test func `another browser cannot use a provider's response, and does not consume it`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let thief = TestBrowser(broker)
            let url = try await thief.answer(on: consent, person)
            let stolen = try await thief.open(url)
            #expect(stolen.status == 400)
            #expect(thief.sessionID == nil)
            let mine = try await browser.open(url)
            #expect(mine.url.hasSuffix("/account"), "\(mine.html)")
        }
    }

    @Test func `a victim who opens an attacker's answer is not signed in as the attacker`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let attacker = try providers.person(at: "github.com", email: "mallory@example.com")
            let attackers = TestBrowser(broker)
            let consent = try await attackers.follow("GitHub", on: try await attackers.visit("/sign-in"))
            let url = try await attackers.answer(on: consent, attacker)
            let victim = TestBrowser(broker)
            _ = try await victim.visit("/sign-in")
            let page = try await victim.open(url)
            #expect(page.status == 400)
            #expect(victim.sessionID == nil)
        }
    }

    @Test func `an answer that comes by another provider's path is refused and still good by its own`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let url = try await TestBrowser(broker).answer(on: consent, person)
            let crossed = url.replacing("/callback/github.com", with: "/callback/gitlab.com")
            #expect(try await browser.open(crossed).status == 400)
            #expect(try await browser.open(url).url.hasSuffix("/account"))
        }
    }

    @Test func `a second cookie of the same name, planted beside ours, finishes nothing`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let url = try await TestBrowser(broker).answer(on: consent, person)
            let flow = try #require(browser.cookies.keys.first { $0.hasPrefix("flow-") })
            browser.furtherCookies = "\(flow)=planted"
            #expect(try await browser.open(url).status == 400)
            browser.furtherCookies = nil
            #expect(try await browser.open(url).url.hasSuffix("/account"))
        }
    }

    @Test(arguments: [
        (GitHubSimulator.IssuerParameter.right, true), (.off, true), (.wrong, false),
    ])
    func `an answer that names another issuer goes no further`(
        _ issuer: GitHubSimulator.IssuerParameter, _ isTaken: Bool
    ) async throws {
        try await TestProviders.runHosted { broker, providers in
            let gitHub = providers.gitHub
            gitHub.issuerParameter = issuer
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let before = providers.gitHub.hits(.accessToken)
            let page = try await browser.signIn(person)
            #expect(page.url.hasSuffix("/account") == isTaken, "\(page.url)")
            // Refused before the code went anywhere.
            #expect((providers.gitHub.hits(.accessToken) > before) == isTaken)
        }
    }

    @Test func `two tabs sign in at once, each with its own answer`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let page = try await browser.visit("/sign-in")
            let first = try await browser.follow("GitHub", on: page)
            let second = try await browser.follow("GitHub", on: page)
            let courier = TestBrowser(broker)
            let later = try await courier.answer(on: second, ann)
            let earlier = try await courier.answer(on: first, ann)
            #expect(try await browser.open(earlier).url.hasSuffix("/account"))
            #expect(try await browser.open(later).url.hasSuffix("/account"))
        }
    }

    @Test func `two tabs that are a browser's first, opened at once, lead both to their app`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let (browser, beside) = (TestBrowser(broker), TestBrowser(broker))
            let first = try await browser.visit(try await TestApp(broker).path())
            let second = try await beside.visit(try await TestApp(broker).path())
            // Both answers come to one browser, which sent neither of their cookies.
            browser.cookies.merge(beside.cookies) { mine, _ in mine }
            for page in [first, second] {
                let consent = try await browser.follow("GitHub", on: page)
                let back = try await browser.submit(on: consent, ["person": ann.account])
                #expect(back["code"] != nil, "\(back.html)")
            }
        }
    }

    @Test func `a broker that was restarted meanwhile, or another one, takes the browser back`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("Apple", on: try await browser.visit("/sign-in"))
            try await broker.withSecondBroker(plugins: TestProviders.plugins) { other in
                let later = TestBrowser(other)
                later.cookies = browser.cookies
                let page = try await later.submit(on: consent, ["person": person.account])
                #expect(page.url.hasSuffix("/account"), "\(page.html)")
            }
        }
    }

    @Test func `what was posted for one browser is not handed to another`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("Apple", on: try await browser.visit("/sign-in"))
            let thief = TestBrowser(broker)
            let page = try await thief.submit(on: consent, ["person": person.account])
            #expect(page.status == 400)
            let handle = try #require(thief.visited.first { $0.contains("/continue?h=") })
            #expect(try await browser.open(handle).url.hasSuffix("/account"))
        }
    }

    @Test func `a code of a provider that posts is not taken from an address`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("Apple", on: try await browser.visit("/sign-in"))
            let state = try #require(consent["state"])
            let query = FormEncoding.encode([("code", RandomText.secret()), ("state", state)])
            let page = try await browser.visit("/oauth/callback/apple.com?" + query)
            #expect(page.status == 400)
            #expect(providers.apple.hits(.token) == 0)
            let posted = try await browser.submit(on: consent, ["person": person.account])
            #expect(posted.url.hasSuffix("/account"), "\(posted.html)")
        }
    }

    @Test func `an answer by another response mode than the declared one is refused and consumes nothing`() async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "apple.com", email: "ann@example.com")
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            let (apples, gitHubs) = (TestBrowser(broker), TestBrowser(broker))
            let apple = try await apples.follow("Apple", on: try await apples.visit("/sign-in"))
            let error = FormEncoding.encode([("error", "access_denied"), ("state", try #require(apple["state"]))])
            let gitHub = try await gitHubs.follow("GitHub", on: try await gitHubs.visit("/sign-in"))
            let answer = try await TestBrowser(broker).answer(on: gitHub, ben)
            let query = try #require(answer.split(separator: "?", maxSplits: 1).last)

            let byQuery = try await apples.visit("/oauth/callback/apple.com?" + error)
            let byPost = try await broker.send(
                .POST, "/oauth/callback/github.com", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array(query.utf8))

            #expect(byQuery.status == 400 && byPost.status == 400)
            #expect(try await apples.submit(on: apple, ["person": ann.account]).url.hasSuffix("/account"))
            #expect(try await gitHubs.open(answer).url.hasSuffix("/account"))
        }
    }

    @Test(arguments: [
        ("Sec-Purpose", "prefetch"), ("Sec-Purpose", "prefetch;prerender"), ("Purpose", "prefetch"),
        ("X-Moz", "prefetch"), ("X-Purpose", "preview"), ("HEAD", ""),
    ])
    func `a prefetch consumes nothing`(name: String, value: String) async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let url = try await TestBrowser(broker).answer(on: consent, person)
            let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            var headers: HTTPHeaders = ["Cookie": cookies]
            if name != "HEAD" { headers.add(name: name, value: value) }

            let prefetched = try await broker.send(
                name == "HEAD" ? .HEAD : .GET, String(url.dropFirst(TestBrowser.publicURL.count)), headers: headers)

            #expect(prefetched.status == (name == "HEAD" ? 405 : 503), "\(prefetched.text)")
            #expect(prefetched.headers["Set-Cookie"].isEmpty)
            #expect(prefetched.headers.first(name: "Cache-Control")?.contains("no-store") == true)
            #expect(try await browser.open(url).url.hasSuffix("/account"))
        }
    }

    @Test func `the user's language persists after the return from the provider`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let browser = TestBrowser(broker)
            let chooser = try await browser.visit("/sign-in?ui_locales=ko")
            let consent = try await browser.follow("GitHub", on: chooser)
            let back = try await browser.submit(on: consent, ["decision": "cancel"])
            #expect(back.html.contains(#"<html lang="ko""#), "\(back.html)")
        }
    }

    @Test func `an answer that comes after ten minutes is refused`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let url = try await TestBrowser(broker).answer(on: consent, person)
            broker.clock.advance(seconds: 601)
            #expect(try await browser.open(url).status == 400)
        }
    }

    @Test(arguments: ["access_denied", "server_error", "invalid_scope", "something_else"])
    func `an app receives an error of a fixed set, never a provider's message`(_ error: String) async throws {
        try await TestProviders.runHosted { broker, providers in
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "github.com"]))
            let state = try #require(consent["state"])
            let query = FormEncoding.encode([
                ("error", error), ("error_description", "<b>secret words</b>"), ("state", state),
            ])
            let back = try await browser.open(TestBrowser.publicURL + "/oauth/callback/github.com?" + query)
            let expected = [
                "access_denied": "access_denied", "server_error": "temporarily_unavailable",
                "invalid_scope": "server_error", "something_else": "access_denied",
            ]
            #expect(back.isForeign && back["error"] == expected[error], "\(back.url)")
            #expect(back["state"] == app.state && back["iss"] == TestBrowser.publicURL)
            #expect(!back.url.contains("secret"))
        }
    }
}
