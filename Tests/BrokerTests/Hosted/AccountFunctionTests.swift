import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("What users see and change on the account page")
struct AccountFunctionTests {
    private static func run(
        _ test: (TestBroker, TestProviders, TestBrowser, TestPerson) async throws -> Void
    ) async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(person)
            try await test(broker, providers, browser, person)
        }
    }

    private static func user(_ broker: TestBroker, _ person: TestPerson) async throws -> User {
        try #require(try await broker.user(try await broker.signIn(person).string("localId"))?.user)
    }

    @Test func `the name and the picture are edited in a form, and stay`() async throws {
        try await Self.run { broker, _, browser, person in
            let form = try await browser.visit("/account/profile")
            let saved = try await browser.submit(
                "/account/profile", on: form,
                ["name": "Countess <b>", "picture": "address", "address": "https://pictures.example/a.png"])

            #expect(saved.url.hasSuffix("/account?done=profile"), "\(saved.html)")
            #expect(saved.html.contains("Countess &lt;b&gt;") && !saved.html.contains("pictures.example"))
            let user = try await Self.user(broker, person)
            #expect(user.displayName == "Countess <b>" && user.photoURL == "https://pictures.example/a.png")
            #expect(user.displayNameEditedAt != nil && user.photoURLEditedAt != nil)
            let removed = try await browser.submit(
                "/account/profile", on: try await browser.visit("/account/profile"), ["name": "", "picture": "none"])
            #expect(removed.url.hasSuffix("/account?done=profile"))
            let without = try await Self.user(broker, person)
            #expect(without.displayName == nil && without.photoURL == nil)
        }
    }

    @Test(arguments: ["javascript:alert(1)", "http:", "a picture", ""])
    func `a picture that is no address of the web is refused, and the form stays filled`(address: String) async throws {
        try await Self.run { broker, _, browser, person in
            let before = try await Self.user(broker, person)

            let form = try await browser.visit("/account/profile")
            let refused = try await browser.submit(
                "/account/profile", on: form, ["name": "Typed", "picture": "address", "address": .some(address)])

            guard !address.isEmpty else { return }
            #expect(refused.status == 400 && refused.html.contains("Typed"), "\(refused.html)")
            #expect(try await Self.user(broker, person).displayName == before.displayName)
        }
    }

    @Test func `a form of another site or another session edits nothing`() async throws {
        try await Self.run { broker, _, browser, person in
            let form = try await browser.visit("/account/profile")
            let fields: [String: String?] = ["name": "Eve", "picture": "none"]

            let foreign = try await browser.submit(
                "/account/profile", on: form, fields, origin: "https://evil.example")
            let other = TestBrowser(broker)
            _ = try await other.signIn(person)
            let taken = try await other.submit("/account/profile", on: form, fields)

            #expect(foreign.status >= 400 && taken.status >= 400)
            #expect(try await Self.user(broker, person).displayName != "Eve")
        }
    }

    @Test func `the page says what each provider permits and when it was last used`() async throws {
        try await Self.run { _, _, browser, _ in
            let account = try await browser.visit("/account")

            #expect(account.html.contains("Last used") && account.html.contains("Shares"), "\(account.html)")
        }
    }

    @Test func `the history has sign-ins, and apart from them what administrators changed`() async throws {
        try await Self.run { broker, _, browser, person in
            let localID = try await Self.user(broker, person).localID
            var changes = AccountChanges()
            changes.displayName = .set("Renamed")
            _ = try await broker.core.accounts.updateAccount(
                localID: localID, changes, AdministratorChanges(),
                origin: Origin(.admin, actor: "root@host.example", reason: "complaint 4711"))

            let account = try await browser.visit("/account")
            let all = try await browser.follow("Show the whole history", on: account)

            #expect(account.html.contains("Account created with GitHub"), "\(account.html)")
            #expect(account.html.contains("Changed by administrators") && account.html.contains("Changed: name"))
            #expect(all.url.hasSuffix("/account/history") && all.html.contains("by an administrator"), "\(all.html)")
            for page in [account, all] {
                #expect(!page.html.contains("root@host") && !page.html.contains("4711"))
            }
        }
    }

    @Test func `equal devices are one entry that unfolds`() async throws {
        try await Self.run { broker, _, browser, person in
            for _ in 1...3 {
                let other = TestBrowser(broker)
                other.userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
                _ = try await other.signIn(person)
            }

            let account = try await browser.visit("/account")

            #expect(account.html.contains("3 entries"), "\(account.html)")
            #expect(account.forms.count { $0.action.contains("/account/session") } >= 3)
        }
    }

    @Test func `the data are a file, once a minute and after a recent login`() async throws {
        try await Self.run { broker, providers, browser, person in
            let file = try await browser.submit("/account/export", on: try await browser.visit("/account"))

            #expect(file.status == 200)
            #expect(file.headers.first(name: "Content-Disposition") == #"attachment; filename="account-data.json""#)
            #expect(file.headers.first(name: "X-Content-Type-Options") == "nosniff")
            let document = try JSONValue(parsing: file.html.utf8)
            #expect(document["user"]?["email"] == "ann@example.com", "\(file.html)")
            let again = try await browser.submit("/account/export", on: try await browser.visit("/account"))
            #expect(
                again.url.hasSuffix("done=exported-recently") && again.html.contains("in a minute"), "\(again.html)")
            broker.clock.advance(seconds: 400)
            providers.clock.advance(by: 400)
            let late = try await browser.submit("/account/export", on: try await browser.visit("/account"))
            #expect(
                late.links.contains { $0.address.hasPrefix("/depart") && $0.text.contains("GitHub") }, "\(late.html)")
        }
    }

    @Test func `a deletion names the account, says what follows at providers, and later how it ended`() async throws {
        try await Self.run { broker, _, browser, _ in
            let question = try await browser.submit("/account/delete", on: try await browser.visit("/account"))
            #expect(question.html.contains("ann@example.com") && question.html.contains("GitHub"), "\(question.html)")

            let deleted = try await browser.submit("/account/delete", on: question, ["understood": "yes"])
            #expect(deleted.html.contains("The account of ann@example.com is deleted"), "\(deleted.html)")
            #expect(deleted.html.contains("GitHub is being asked") && !deleted.html.contains("Sign in again"))
            _ = try await broker.withdrawalWorker().turn()
            let later = try await browser.open(deleted.url)

            #expect(later.html.contains("GitHub has ended"), "\(later.html)")
        }
    }
}
