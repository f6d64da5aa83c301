import BrowserTesting
import ProviderKit
import ProviderSimulators
import Testing

/// What tests of sign-in flows rely on a browser for: that it keeps cookies as browsers do, and tells what it sent.
@Suite("Browser and cookies", .timeLimit(.minutes(20)))
struct BrowserCookieTests {
    @Test func `each run has cookies of its own, those scripts cannot see included`() async throws {
        try await LocalSite.run { _ in
            .init("<p>Here</p>", headers: ["set-cookie": "secret=one; HttpOnly; SameSite=Lax; Path=/"])
        } _: { site in
            for _ in 0..<2 {
                try await Browser.run { browser in
                    let visits = site.visits.count
                    try await browser.open("http://127.0.0.1:\(site.port)/")
                    let cookie = try #require(try await browser.cookies["secret"])

                    #expect(cookie.value == "one" && cookie.isHTTPOnly && !cookie.isSecure)
                    #expect(cookie.sameSite == "Lax")
                    #expect(try await browser.script("return document.cookie") == "")
                    #expect(site.visits[visits].headers["cookie"] == nil)
                }
            }
        }
    }

    @Test func `a lax cookie stays at home when Apple posts, and comes along with the GET after it`() async throws {
        try await LocalSite.run(Self.callback) { site in
            let callback = "http://localhost:\(site.port)/callback"
            let apple = try await AppleSimulator.start(.init(application: .init(returnURLs: [callback])))
            try await Browser.run(.init(recordsRequests: true)) { browser in
                try await browser.open("http://localhost:\(site.port)/start")
                let client = apple.defaultApplication.clientID
                try await browser.open(
                    "\(apple.url)/auth/authorize?response_type=code&response_mode=form_post&scope=email&state=s"
                        + "&client_id=\(client)&redirect_uri=\(callback)")
                try await browser.click(.button, "Authorize")
                try await browser.wait(forText: "The end")

                let posted = try #require(site.visits.last { $0.method == "POST" })
                let last = try #require(site.visits.last { $0.path == "/end" })
                #expect(posted.body.contains("code=") && posted.headers["cookie"] == nil)
                #expect(last.headers["cookie"] == "flow=mine")
                let requests = try await browser.requests()
                let post = try #require(requests.first { $0.method == "POST" && $0.url == callback })
                #expect(post.cookies.isEmpty && post.withheldCookies == ["flow"])
                #expect(requests.contains { $0.url.hasSuffix("/end") && $0.cookies == ["flow"] })
            }
            await apple.stop()
        }
    }

    @Test func `an account is chosen at GitHub, and the browser returns with a code`() async throws {
        try await LocalSite.run(Self.callback) { site in
            let callback = "http://localhost:\(site.port)/callback"
            let github = try await GitHubSimulator.start(.init(application: .init(callbackURL: callback)))
            let client = github.defaultApplication.clientID
            try await Browser.run(.init(size: .phone)) { browser in
                try await browser.open("\(github.url)/login/oauth/authorize?client_id=\(client)&state=abc")
                let people = try await browser.names(of: .radio)
                try await browser.elements("input[name=person]")[1].click()
                try await browser.click(.button, "Authorize")
                let url = try await browser.wait(forURL: callback)

                #expect(people.count == github.people().count && people.count > 1)
                #expect(url.contains("code=") && url.contains("state=abc"))
            }
            await github.stop()
        }
    }

    @Sendable private static func callback(_ visit: LocalSite.Visit) -> LocalSite.Page {
        switch (visit.method, visit.path) {
        case (_, "/start"):
            .init("<p>Start</p>", headers: ["set-cookie": "flow=mine; HttpOnly; SameSite=Lax; Path=/"])
        case ("POST", _): .init("", status: 303, headers: ["location": "/end"])
        default: .init("<p>The end</p>")
        }
    }
}
