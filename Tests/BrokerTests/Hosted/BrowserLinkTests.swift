import Broker
import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Linking in the browser")
struct BrowserLinkTests {
    @Test func `a user connects a second provider after confirming it, and disconnects it again`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let question = try await browser.connect(try providers.person(at: "gitlab.com", email: "ann@work.example"))
            #expect(try await broker.providers(of: browser) == ["github.com"])
            let account = try await browser.submit("/account/link", on: question)
            #expect(account.url.contains("/account?done=linked"), "\(account.html)")
            #expect(try await broker.providers(of: browser) == ["github.com", "gitlab.com"])

            let sure = try await browser.submit("/account/unlink", on: account)
            let after = try await browser.submit("/account/unlink", on: sure)
            #expect(after.url.contains("done=unlinked"), "\(after.html)")
            #expect(try await broker.providers(of: browser) == ["gitlab.com"])
        }
    }

    @Test func `a receipt is shown where the broker sealed it for this browser, and nowhere else`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let question = try await browser.connect(try providers.person(at: "gitlab.com", email: "ann@work.example"))
            let account = try await browser.submit("/account/link", on: question)
            let sure = try await browser.submit("/account/unlink", on: account)
            let unlinked = try await browser.submit("/account/unlink", on: sure)
            let other = TestBrowser(broker)
            _ = try await other.signIn(try providers.person(at: "github.com", email: "ben@example.com"))

            let shown = try #require(unlinked.html.firstMatch(of: /Reference ([0-9a-f]+)/), "\(unlinked.html)")
            let copied = try await other.open(unlinked.url)
            let forged = try await browser.visit(
                "/account?done=unlinked&provider=github.com&access=queued&receipt=\(shown.1)")

            for page in [copied, forged] {
                #expect(page.status == 200 && page.html.contains("GitHub"), "\(page.html)")
                #expect(!page.html.contains("Reference"), "\(page.html)")
            }
        }
    }

    @Test func `an attacker who starts a link cannot have a victim finish it`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let attacker = TestBrowser(broker)
            _ = try await attacker.signIn(try providers.person(at: "github.com", email: "mallory@example.com"))
            let account = try await attacker.visit("/account")
            let link = try #require(
                account.links.first { $0.address.hasPrefix("/depart") && $0.text.contains("GitLab") })

            // The victim is signed in here, and at GitLab. First they are sent the attacker's link …
            let victim = TestBrowser(broker)
            let victims = try providers.person(at: "gitlab.com", email: "vic@work.example")
            _ = try await victim.signIn(try providers.person(at: "1pass.dev", email: "vic@example.com"))
            let lured = try await victim.open(TestBrowser.publicURL + link.address)
            #expect(lured.status == 400, "\(lured.url)")
            // … then the provider's page the attacker was sent to.
            let consent = try await attacker.open(TestBrowser.publicURL + link.address)
            let page = try await victim.submit(on: consent, ["person": victims.account])
            #expect(page.status == 400, "\(page.url)")
            #expect(try await broker.providers(of: attacker) == ["github.com"])
            #expect(try await broker.providers(of: victim) == ["1pass.dev"])
        }
    }

    @Test func `an attacker's question does not open in a victim's browser`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let attacker = TestBrowser(broker)
            _ = try await attacker.signIn(try providers.person(at: "github.com", email: "mallory@example.com"))
            let question = try await attacker.connect(try providers.person(at: "gitlab.com", email: "m@work.example"))
            let victim = TestBrowser(broker)
            _ = try await victim.signIn(try providers.person(at: "1pass.dev", email: "vic@example.com"))
            let refused = try await victim.submit("/account/link", on: question)
            #expect(refused.status == 400)
            #expect(try await broker.providers(of: victim) == ["1pass.dev"])
        }
    }

    @Test func `of twenty confirmations of one link exactly one is made`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let question = try await browser.connect(try providers.person(at: "gitlab.com", email: "ann@work.example"))
            let cookies = browser.cookies
            let linked = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let copy = TestBrowser(broker)
                        copy.cookies = cookies
                        return try await copy.submit("/account/link", on: question).url.contains("done=linked")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(linked.filter(\.self).count == 1)
            #expect(try await broker.providers(of: browser) == ["github.com", "gitlab.com"])
        }
    }

    @Test func `another user's identity is not moved`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let bens = try providers.person(at: "gitlab.com", email: "ben@example.com")
            let ben = TestBrowser(broker)
            _ = try await ben.signIn(bens)
            let ann = TestBrowser(broker)
            _ = try await ann.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let refused = try await ann.connect(bens)
            #expect(refused.status == 400 && !refused.html.contains("/account/link"), "no needless question")
            #expect(try await broker.providers(of: ann) == ["github.com"])
            #expect(try await broker.providers(of: ben) == ["gitlab.com"])
        }
    }

    @Test func `a user with an old login reauthenticates before anything is connected, disconnected or deleted`()
        async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            broker.clock.advance(seconds: 400)
            providers.clock.advance(by: 400)
            let account = try await browser.visit("/account")
            let again = try await browser.submit("/account/delete", on: account)
            let offers = again.links.filter { $0.address.hasPrefix("/depart") }.map(\.text)
            #expect(offers.count == 1 && offers[0].contains("GitLab"), "\(offers)")
            // The proof of another user is refused.
            let ben = try providers.person(at: "gitlab.com", email: "ben@example.com")
            let first = try await browser.follow("GitLab", on: again)
            #expect(try await browser.submit(on: first, ["person": ben.account]).status == 400)
            let consent = try await browser.follow("GitLab", on: again)
            #expect(consent["prompt"] == "login")
            let back = try await browser.submit(on: consent, ["person": person.account])
            #expect(back.url.hasSuffix("/account"), "\(back.html)")
            let sure = try await browser.submit("/account/delete", on: back)
            let gone = try await browser.submit("/account/delete", on: sure, ["understood": "yes"])
            #expect(gone.status == 200)
            #expect(try await browser.visit("/account").url.hasSuffix("/sign-in"))
            #expect(try await broker.core.store.read { try $0.users(after: "", limit: 10) }.isEmpty)
        }
    }

    @Test func `a new identity with another user's address joins that account after both are verified`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let gitHub = try providers.person(at: "github.com", email: "ann@example.com")
            let gitLab = try providers.person(at: "gitlab.com", email: "ann@example.com")
            _ = try await TestBrowser(broker).signIn(gitHub)
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "gitlab.com"]))
            let notice = try await browser.submit(on: consent, ["person": gitLab.account])
            #expect(browser.sessionID == nil)
            #expect(notice.html.contains("It signs in with GitHub"), "\(notice.html)")
            let ways = notice.links.filter { $0.address.hasPrefix("/depart") }.map(\.text)
            #expect(ways.count == 1 && ways[0].contains("GitHub"), "\(ways)")
            let second = try await browser.follow("GitHub", on: notice)
            let question = try await browser.submit(on: second, ["person": gitHub.account])
            let back = try await browser.submit("/account/link", on: question)
            #expect(back.isForeign && back["code"] != nil, "\(back.html)")
            #expect(try await broker.providers(of: browser) == ["github.com", "gitlab.com"])
        }
    }

    @Test
    func `an identity that cannot be linked is said so before anything is asked, and the app still gets its code`()
        async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            _ = try await TestBrowser(broker).signIn(ann)
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            _ = try await TestBrowser(broker).signIn(ben)
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "gitlab.com"]))
            let gitLab = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let notice = try await browser.submit(on: consent, ["person": gitLab.account])

            // Ben is not the holder of the address.
            let second = try await browser.follow("GitHub", on: notice)
            let refused = try await browser.submit(on: second, ["person": ben.account])

            #expect(refused.status == 400 && !refused.html.contains("/account/link"), "\(refused.html)")
            guard case .request(_, let refusal?) = try await broker.core.admin.explain(refused.requestNumber, limit: 1)
            else { throw TestFailure("the refusal is not recorded") }
            #expect(refusal.provider == "gitlab.com")
            let back = try await browser.follow("Continue to Test app", on: refused)
            #expect(back.isForeign && back["code"] != nil, "\(back.html)")
            #expect(try await broker.providers(of: browser) == ["github.com"])
        }
    }
}
