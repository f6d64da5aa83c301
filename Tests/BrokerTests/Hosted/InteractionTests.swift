import Broker
import BrokerStore
import BrowserTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Pages that a form or a provider's answer leads to")
struct InteractionTests {
    /// A page of a browser's, and what it says in each language.
    private struct Shown {
        let page: TestBrowser.Page
        let english, korean: String
    }

    /// Asks for a page again, and in Korean.
    private static func check(_ shown: Shown, in browser: TestBrowser) async throws {
        #expect(shown.page.html.contains(shown.english), "\(shown.page.url): \(shown.page.html)")
        let link = try #require(shown.page.korean, "no language switch on \(shown.page.url): \(shown.page.html)")
        let korean = try await browser.open(TestBrowser.publicURL + link.address)
        #expect(korean.html.contains(shown.korean) && korean.html.contains(#"<html lang="ko""#), "\(korean.html)")
        #expect(korean.status == shown.page.status && korean.korean == nil, "\(korean.url)")
    }

    @Test func `after a cancel the chooser can be reloaded, read in Korean and used`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            let chooser = try await browser.submit(on: consent, ["decision": "cancel"])

            let again = try await browser.open(chooser.url)
            try await Self.check(
                Shown(page: again, english: "You cancelled at GitHub", korean: "GitHub 로그인을 취소했어요"), in: browser)

            #expect(again.status == 200 && !chooser.url.contains("/oauth/callback/"), "\(chooser.url)")
            let second = try await browser.follow("GitHub", on: again)
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            #expect(try await browser.submit(on: second, ["person": ann.account]).url.hasSuffix("/account"))
        }
    }

    @Test func `every question and its end can be reloaded and read in Korean`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let question = try await browser.connect(try providers.person(at: "gitlab.com", email: "ann@work.example"))
            try await Self.check(
                Shown(page: question, english: "Connect GitLab?", korean: "GitLab 계정을 연결할까요?"), in: browser)
            let reloaded = try await browser.open(question.url)
            #expect(try await browser.submit("/account/link", on: reloaded).url.contains("done=linked"))
            for (action, english, korean) in [
                ("/account/unlink", "Disconnect GitHub?", "GitHub 연결을 해제할까요?"),
                ("/account/sign-out-everywhere", "Sign out everywhere?", "모든 기기에서 로그아웃할까요?"),
                ("/account/delete", "Delete the account of", "계정을 삭제하시겠어요?"),
            ] {
                let page = try await browser.submit(action, on: try await browser.visit("/account"))
                try await Self.check(Shown(page: page, english: english, korean: korean), in: browser)
            }
            let out = try await browser.submit("/account/sign-out", on: account)
            try await Self.check(Shown(page: out, english: "You are signed out", korean: "로그아웃했어요"), in: browser)
        }
    }

    @Test func `every error page can be read in Korean, also the answer to a form`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let stale = try await browser.submit("/account/delete", on: account, ["form": nil])
            let foreign = try await browser.submit("/account/delete", on: account, origin: "https://evil.example")
            let unknown = try await browser.visit("/oauth/authorize?client_id=nobody")
            let state = try await browser.visit("/oauth/callback/github.com?state=unknown&code=1")
            let nowhere = try await browser.visit("/interaction?form=nothing")
            for (page, english, korean) in [
                (stale, "This sign-in has ended", "이 로그인은 끝났어요"), (foreign, "could not be sure", "확인할 수 없었어요"),
                (unknown, "does not know this app", "등록되지 않은 앱"), (state, "This sign-in has ended", "이 로그인은 끝났어요"),
                (nowhere, "This sign-in has ended", "이 로그인은 끝났어요"),
            ] {
                try await Self.check(Shown(page: page, english: english, korean: korean), in: browser)
            }
            #expect(foreign.status == 403 && stale.status == 400)
        }
    }

    @Test func `the number on an error page is one that broker explain knows`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let link = try #require(
                account.links.first { $0.address.hasPrefix("/depart") && $0.text.contains("GitLab") })
            let consent = try await browser.open(TestBrowser.publicURL + link.address)

            let cancelled = try await browser.submit(on: consent, ["decision": "cancel"])
            guard
                case .request(_, let refusal?) = try await broker.core.admin.explain(cancelled.requestNumber, limit: 5)
            else { throw TestFailure("the refusal is not recorded") }

            #expect(cancelled.status == 400, "\(cancelled.html)")
            #expect(
                refusal.provider == "gitlab.com" && refusal.code == "USER_CANCELLED", "\(cancelled.html)"
            )
            #expect(try await browser.open(cancelled.url).requestNumber == cancelled.requestNumber)
        }
    }

    @Test func `a page opens in the browser it was made for, and a question in its session alone`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let account = try await browser.signIn(person)
            let question = try await browser.submit("/account/delete", on: account)
            let stranger = TestBrowser(broker)
            _ = try await stranger.visit("/sign-in")

            let elsewhere = try await stranger.open(question.url)
            let app = try await TestApp(broker)
            let consent = try await browser.visit(app.path(["prompt": "login", "provider": "github.com"]))
            _ = try await browser.submit(on: consent, ["person": person.account])
            let later = try await browser.open(question.url)

            #expect(elsewhere.status == 400 && !elsewhere.html.contains("Delete the account"))
            #expect(later.status == 400 && !later.html.contains("Delete the account"), "another session")
        }
    }

    @Test func `the consent page shows the account and the claims, and offers another account`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let address = "http://127.0.0.1:4711/app-of-the-test"
            let app = try await TestApp(broker, kind: .native, redirectURIs: ["http://127.0.0.1/app-of-the-test"])

            let question = try await browser.visit(app.path(["redirect_uri": address, "scope": "openid email"]))
            #expect(question.html.contains("ann@example.com") && question.html.contains("Your email address"))
            #expect(!question.html.contains("Your name and picture") && !question.html.contains("until you sign out"))
            let chooser = try await browser.follow("Use another account", on: question)
            let consent = try await browser.follow("GitHub", on: chooser)
            #expect(consent["prompt"] == "select_account", "\(consent.url)")
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            let asBen = try await browser.submit(on: consent, ["person": ben.account])
            #expect(asBen.html.contains("ben@example.com") && !asBen.html.contains("ann@example.com"))
            let back = try await browser.submit("/continue", on: try await browser.open(asBen.url))
            #expect(back["code"] != nil, "\(back.html)")
        }
    }

    @Test func `a device's page shows the account and the claims, and offers another account`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            _ = try await TestDevice(at: broker).approve(in: browser, as: broker.account("ada"))
            let device = try await TestDevice(at: broker, scope: "openid profile")

            let question = try await device.open(in: browser)
            #expect(question.html.contains("ada@example.com") && question.html.contains("Your name and picture"))
            let chooser = try await browser.follow("Use another account", on: question)
            let consent = try await browser.follow("GitHub", on: chooser)
            let asBen = try await browser.submit(on: consent, ["person": try broker.account("ben")])
            #expect(asBen.asksForDecision && asBen.html.contains("ben@example.com"), "\(asBen.html)")
            let done = try await browser.submit("/device", on: asBen, ["decision": "allow"])
            try await Self.check(
                Shown(page: done, english: "Your device is signed in", korean: "기기에서 로그인했어요"), in: browser)
            #expect(try await device.poll().status == 200)
        }
    }
}
