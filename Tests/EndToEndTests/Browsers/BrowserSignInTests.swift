import BrowserTesting
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// The built broker, a real browser, and an app that knows neither GitHub nor Apple.
@Suite("Sign-in through the browser", .oneEngine("pages in a browser"), .timeLimit(.minutes(20)))
struct BrowserSignInTests {
    private static let names = [
        "github.com": "GitHub", "gitlab.com": "GitLab", "apple.com": "Apple", "1pass.dev": "1Pass",
    ]

    @Test(arguments: ["github.com", "gitlab.com", "apple.com", "1pass.dev"])
    func `a user chooses a provider, and the app receives the identity`(provider: String) async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run(.init(size: .phone, recordsRequests: true)) { browser in
                    let attempt = app.attempt()
                    let name = try #require(Self.names[provider])
                    try await browser.open(attempt.url)
                    let offers = try await browser.names(of: .link)
                    try await browser.screenshot("chooser")
                    try await browser.click(.link, "Continue with \(name)")
                    try await browser.consent(as: provider == "1pass.dev" ? "ada" : "Ada Example")
                    let tokens = try await app.tokens(of: attempt, in: browser)

                    for name in Self.names.values { #expect(offers.contains { $0.contains(name) }, "\(offers)") }
                    #expect(tokens.claims["email"] == "ada@example.com", "\(tokens.claims.serialized())")
                    #expect(try #require(tokens.claims["amr"]?.array).contains("fed"))
                    let userinfo = try await app.userinfo(tokens)
                    #expect(userinfo.body["sub"] == tokens.claims["sub"], "\(userinfo)")
                    try await Self.checkTraces(of: attempt, app, browser)
                }
            }
        }
    }

    /// Nothing of a sign-in is left but the session, and no code of a provider was in a URL of the broker's, but where
    /// the provider itself puts it.
    private static func checkTraces(of attempt: WebApp.Attempt, _ app: WebApp, _ browser: Browser) async throws {
        let requests = try await browser.requests()
        let answers = requests.filter { $0.url.hasPrefix(app.broker.url) && $0.url.contains("code=") }
        let posts = requests.filter { $0.method == "POST" && $0.url.hasPrefix(app.broker.url) }
        if let post = posts.first {
            // Apple's: across sites, hence without the cookie, which comes along with the GET after it.
            #expect(answers.isEmpty, "\(answers)")
            #expect(post.cookies.isEmpty && post.withheldCookies.contains { $0.hasPrefix("flow-") }, "\(post)")
            let next = try #require(requests.first { $0.url.contains("/continue?h=") })
            #expect(next.cookies.contains { $0.hasPrefix("flow-") })
        } else {
            #expect(answers.count == 1 && answers[0].cookies.contains { $0.hasPrefix("flow-") }, "\(answers)")
        }
        try await browser.open(app.broker.url + "/account")
        let cookies = try await browser.cookies
        let session = try #require(cookies["broker-session"], "\(cookies.keys)")
        #expect(session.isHTTPOnly && session.sameSite == "Lax" && session.path == "/")
        #expect(!cookies.keys.contains { $0.hasPrefix("flow-") }, "\(cookies.keys)")
    }

    @Test func `the keyboard alone gets through the chooser and the provider's page`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let attempt = app.attempt()
                    try await browser.open(attempt.url)
                    try await Self.tab(to: "Continue with GitHub", in: browser)
                    try await browser.press(.enter)
                    _ = try await browser.element(.button, "Authorize")
                    try await Self.tab(to: "Authorize", in: browser)
                    try await browser.press(.enter)

                    let tokens = try await app.tokens(of: attempt, in: browser)
                    #expect(tokens.claims["email"] == "ada@example.com")
                }
            }
        }
    }

    private static func tab(to name: String, in browser: Browser) async throws {
        for _ in 0..<20 {
            try await browser.press(.tab)
            if try await browser.focused.name.hasPrefix(name) { return }
        }
        Issue.record("no key leads to \(name) on \(try await browser.currentURL)")
    }

    @Test func `after a cancellation the chooser is shown, or the app gets an error`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let named = app.attempt(("provider", "gitlab.com"))
                    try await browser.open(named.url)
                    try await browser.cancelAtProvider()
                    let answer = try await app.answer(to: named, in: browser)
                    let chosen = app.attempt()
                    try await browser.open(chosen.url)
                    try await browser.click(.link, "Continue with Apple")
                    try await browser.cancelAtProvider()
                    try await browser.wait(forText: "You cancelled at Apple")
                    try await browser.screenshot("chooser-cancelled")
                    try await browser.click(.link, "Continue with GitHub")
                    try await browser.consent(as: "Ada Example")

                    #expect(answer["error"] == "access_denied" && answer["code"] == nil, "\(answer)")
                    #expect(try await app.tokens(of: chosen, in: browser).claims["email"] == "ada@example.com")
                }
            }
        }
    }

    @Test func `two tabs sign two users in to two apps at once`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { notebook in
                try await WebApp.run(at: broker, name: "Calendar") { calendar in
                    try await Browser.run { browser in
                        let (first, second) = (
                            notebook.attempt(("provider", "github.com")), calendar.attempt(("provider", "gitlab.com"))
                        )
                        let tab = try await browser.window
                        try await browser.open(first.url)
                        let otherTab = try await browser.openWindow()
                        try await browser.open(second.url)
                        try await browser.switchTo(tab)
                        try await browser.consent(as: "ben")
                        let ben = try await notebook.tokens(of: first, in: browser)
                        try await browser.switchTo(otherTab)
                        try await browser.consent(as: "Cleo Example")
                        let cleo = try await calendar.tokens(of: second, in: browser)

                        #expect(ben.claims["email"] == "ben@example.com", "\(ben.claims.serialized())")
                        #expect(cleo.claims["name"] == "Cleo Example", "\(cleo.claims.serialized())")
                        #expect(ben.claims["sub"] != cleo.claims["sub"])
                    }
                }
            }
        }
    }

    @Test func `a sign-in goes on after the broker was restarted in the middle of it`() async throws {
        try await HostedBroker.prepare { broker in
            try await Browser.run { browser in
                try await broker.serve { process in
                    try await browser.open(broker.url + "/sign-in")
                    try await browser.click(.link, "Continue with GitHub")
                    _ = try await browser.element(.button, "Authorize")
                    process.kill()
                    _ = try await process.exitCode()
                }
                try await broker.serve { _ in
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(forURL: broker.url + "/account")
                    try await browser.wait(forText: "ada@example.com")
                }
            }
        }
    }

    @Test func `a code is for the app that asked, once`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let attempt = app.attempt(("provider", "github.com"))
                    try await browser.open(attempt.url)
                    try await browser.consent(as: "Ada Example")
                    let code = try #require(try await app.answer(to: attempt, in: browser)["code"])
                    let first = try await app.redeem(code, of: attempt)
                    let second = try await app.redeem(code, of: attempt)

                    #expect(first.status == 200, "\(first)")
                    #expect(second.status == 400 && second.body["error"] == "invalid_grant", "\(second)")
                    let token = try #require(first.body["access_token"]?.string)
                    let userinfo = try await broker.client.send(
                        "GET", "/oauth/userinfo", headers: [("Authorization", "Bearer \(token)")])
                    #expect(userinfo.status == 401, "a code that came twice ends what it gave: \(userinfo)")
                }
            }
        }
    }
}
