import Broker
import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@Suite("Where a user is signed in")
struct SignedInDevicesTests {
    private static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    private static let safari =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"

    @Test func `a browser is one entry with its apps, whatever they signed in how often`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let (laptop, phone) = (TestBrowser(broker), TestBrowser(broker))
            (laptop.userAgent, phone.userAgent) = (Self.firefox, Self.safari)
            _ = try await laptop.signIn(ann)
            let app = try await TestApp(broker)
            for _ in 0..<3 {
                let attempt = app.another()
                let back = try await laptop.visit(attempt.path())
                #expect(try await attempt.redeem(try #require(back["code"])).status == 200)
            }
            broker.clock.advance(seconds: 60)
            let account = try await phone.signIn(ann)

            let texts = account.html
            #expect(texts.contains("Firefox · Linux") && texts.contains("Safari · iPhone"), "\(texts)")
            #expect(texts.contains("127.0.0.1"))
            #expect(texts.components(separatedBy: ">Test app<").count == 2, "one entry for three sign-ins")
            let here = try #require(texts.range(of: "Safari · iPhone"))
            let there = try #require(texts.range(of: "Firefox · Linux"))
            #expect(here.lowerBound < there.lowerBound, "the browser that asks comes first")
        }
    }

    @Test func `an app is signed out of a browser, and then the browser with all it has`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let (laptop, phone) = (TestBrowser(broker), TestBrowser(broker))
            _ = try await laptop.signIn(ann)
            let (first, second) = (try await TestApp(broker), try await TestApp(broker))
            var tokens: [Answer] = []
            for app in [first, first.another(), second] {
                let back = try await laptop.visit(app.path())
                tokens.append(try await app.redeem(try #require(back["code"])))
            }
            let account = try await phone.signIn(ann)
            func statuses() async throws -> [Int] {
                var statuses: [Int] = []
                for token in tokens {
                    statuses.append(try await broker.userInfo(try token.string("access_token")).status)
                }
                return statuses
            }

            // The apps of the other browser, each with a form of its own, before the browser's.
            let forms = account.forms.filter { $0.action == "/account/session" }
            #expect(forms.count == 3)
            var ended: [[Int]] = []
            for form in forms.reversed() {
                _ = try await phone.submit("/account/session", on: account, ["form": form.fields.first?.value])
                ended.append(try await statuses().sorted())
            }

            #expect(ended.last == [401, 401, 401] && ended.first?.contains(401) == true, "\(ended)")
            #expect(try await laptop.visit("/account").url.hasSuffix("/sign-in"))
            #expect(try await phone.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `a browser's use and address are recorded hourly, and the address is gone after 30 days`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            browser.userAgent = Self.firefox
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let id = try #require(browser.sessionID)
            func session() async throws -> Session {
                try #require(try await broker.core.store.read { try $0.session(id: id) })
            }
            let begun = try await session()
            broker.clock.advance(seconds: 1800)
            _ = try await browser.visit("/account")
            let soon = try await session()
            broker.clock.advance(seconds: 1801)
            browser.userAgent = Self.safari
            _ = try await browser.visit("/account")
            let later = try await session()
            let used = Timestamp(broker.clock.now)
            func forget(usedBy moment: Timestamp) async throws -> Int {
                try await broker.core.store.write {
                    try $0.forgetAddresses(ofSessionsAfter: .min, upTo: .max, usedBy: moment)
                }
            }
            let before = try await forget(usedBy: used.advanced(by: .seconds(-1)))
            let after = try await forget(usedBy: used)
            let forgotten = try await session()

            #expect(begun.userAgent == Self.firefox && begun.address == "127.0.0.1" && begun.lastUsedAt == nil)
            #expect(soon.lastUsedAt == nil, "half an hour is no news")
            #expect(later.lastUsedAt == used && later.userAgent == Self.safari)
            #expect(before == 0 && after == 1 && forgotten.address == nil && forgotten.userAgent == Self.safari)
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `an app's own device is known, its server's is not`() async throws {
        try await TestBroker.run { broker in
            let user = try await broker.signedInUser()
            for (kind, isKnown) in [(Client.Kind.public, true), (.confidential, false)] {
                let app = try await OAuthApp(at: broker, kind)
                let ticket = try await app.ticket(for: user)
                let answer = try await app.post("/oauth/token", ticket.form, headers: ["User-Agent": "Notes/2.1"])
                #expect(answer.status == 200)

                let session = try await broker.core.store.read { try $0.session(id: ticket.row.sessionID) }
                #expect((session?.userAgent == "Notes/2.1") == isKnown && (session?.address != nil) == isKnown)
            }
        }
    }
}
