import BrowserTesting
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// What the broker's own session in a browser is good for, and who may use it.
@Suite("Sessions in the browser", .oneEngine("pages in a browser"), .timeLimit(.minutes(20)))
struct BrowserSessionTests {
    @Test func `the second app needs no page, unless it insists on a fresh login`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let first = try await Self.signIn(to: app, "github.com", in: browser)
                    let silent = app.attempt(("prompt", "none"))
                    try await browser.open(silent.url)
                    let second = try await app.tokens(of: silent, in: browser)
                    let insisting = app.attempt(("prompt", "login"))
                    try await browser.open(insisting.url)
                    let isAsked = try await browser.names(of: .link).contains { $0.contains("GitHub") }
                    try await browser.screenshot("chooser-again")
                    try await browser.click(.link, "Continue with GitHub")
                    try await browser.consent(as: "Ada Example")
                    let third = try await app.tokens(of: insisting, in: browser)

                    #expect(isAsked)
                    for tokens in [second, third] { #expect(tokens.claims["sub"] == first.claims["sub"]) }
                    #expect(second.claims["auth_time"] == first.claims["auth_time"])
                    #expect(second.claims["sid"] != first.claims["sid"])
                    let times = try [first, third].map { try #require($0.claims["auth_time"]?.integer) }
                    #expect(times[1] >= times[0])
                }
            }
        }
    }

    @Test func `a browser without a session gets login_required from prompt=none`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let attempt = app.attempt(("prompt", "none"))
                    try await browser.open(attempt.url)

                    #expect(try await app.answer(to: attempt, in: browser)["error"] == "login_required")
                }
            }
        }
    }

    @Test func `an app signs its user out of the browser`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let tokens = try await Self.signIn(to: app, "gitlab.com", in: browser)
                    let farewell = app.redirectURI.replacing("/callback", with: "/farewell")
                    let query = FormEncoding.encode([
                        ("id_token_hint", tokens.idToken), ("post_logout_redirect_uri", farewell), ("state", "bye"),
                    ])
                    try await browser.open("\(broker.url)/oauth/logout?\(query)")
                    let landed = try await browser.wait(forURL: farewell)
                    let silent = app.attempt(("prompt", "none"))
                    try await browser.open(silent.url)

                    #expect(landed == farewell + "?state=bye")
                    #expect(try await app.answer(to: silent, in: browser)["error"] == "login_required")
                    #expect(try await app.userinfo(tokens).status == 401)
                }
            }
        }
    }

    @Test func `over TLS every cookie is secure and bound to the host`() async throws {
        try await HostedBroker.run(isSecure: true) { broker in
            try await Browser.run(.init(acceptsInsecureCertificates: true, recordsRequests: true)) { browser in
                try await browser.open(broker.url + "/sign-in")
                try await browser.click(.link, "Continue with Apple")
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forURL: broker.url + "/account")
                let back = try #require(try await browser.requests().first { $0.url.contains("/continue?h=") })
                let cookies = try await browser.cookies

                #expect(back.cookies.contains { $0.hasPrefix("__Host-flow-") }, "\(back.cookies)")
                #expect(cookies["__Host-broker-session"] != nil)
                #expect(cookies.keys.allSatisfy { $0.hasPrefix("__Host-broker-") }, "\(cookies.keys)")
                #expect(cookies.values.allSatisfy { $0.isSecure && $0.isHTTPOnly && $0.path == "/" })
            }
        }
    }

    @Test func `a form of the hosted pages is accepted only from their origin`() async throws {
        try await HostedBroker.run { broker in
            try await Browser.run { browser in
                try await browser.open(broker.url + "/sign-in")
                try await browser.click(.link, "Continue with GitHub")
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forURL: broker.url + "/account")
                let form = try await browser.element("form[action='/account/sign-out'] input[name=form]")
                let body = FormEncoding.encode([("form", try #require(try await form.attribute("value")))])
                let cookies = try await browser.cookies.values.map { "\($0.name)=\($0.value)" }
                func post(_ headers: [(String, String)]) async throws -> IdentityToolkitApp.Answer {
                    try await broker.client.send(
                        "POST", "/account/sign-out",
                        headers: headers + [
                            ("Content-Type", "application/x-www-form-urlencoded"),
                            ("Cookie", cookies.joined(separator: "; ")),
                        ], body: body)
                }

                for headers in [
                    [], [("Origin", "null")], [("Origin", "http://localhost:1")], [("Origin", "https://evil.example")],
                    [("Origin", broker.url), ("Sec-Fetch-Site", "cross-site")],
                ] {
                    let answer = try await post(headers)
                    #expect(answer.status == 403, "\(headers): \(answer)")
                }
                try await browser.reload()
                #expect(try await browser.text.contains("ada@example.com"), "still signed in")
                #expect(try await post([("Origin", broker.url)]).status == 303)
                try await browser.reload()
                #expect(try await browser.currentURL == broker.url + "/sign-in")
            }
        }
    }

    @Test func `another browser cannot finish what this one began`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                let attempt = app.attempt(("provider", "github.com"))
                let back = try await Self.callbackOfAttacker(attempt, at: broker)
                try await Browser.run { browser in
                    try await browser.open(back)
                    try await browser.wait(forText: "browser")
                    try await browser.screenshot("error-other-browser")

                    #expect(try await browser.currentURL.hasPrefix(broker.url + "/oauth/callback/github.com"))
                    try await browser.open(broker.url + "/account")
                    #expect(try await browser.currentURL == broker.url + "/sign-in")
                }
            }
        }
    }

    /// The attacker signs in at the provider and keeps the address the provider sends the browser back to.
    private static func callbackOfAttacker(_ attempt: WebApp.Attempt, at broker: HostedBroker) async throws -> String {
        let redirect = try await broker.client.send("GET", String(attempt.url.dropFirst(broker.url.count)))
        let location = try #require(redirect.headers.first(name: "Location"), "\(redirect)")
        let query = try #require(FormEncoding.decode(location.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        let fields = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let gitHub = broker.providers.gitHub
        let code = gitHub.authorizationCode(
            for: try #require(gitHub.person(login: "cleo")), application: gitHub.defaultApplication,
            redirectURI: fields["redirect_uri"], codeChallenge: fields["code_challenge"])
        return broker.url + "/oauth/callback/github.com?"
            + FormEncoding.encode([("code", code), ("state", try #require(fields["state"]))])
    }

    private static func signIn(
        to app: WebApp, _ provider: String, in browser: Browser
    ) async throws -> WebApp.Tokens {
        let attempt = app.attempt(("provider", provider))
        try await browser.open(attempt.url)
        try await browser.consent(as: "Ada Example")
        return try await app.tokens(of: attempt, in: browser)
    }
}
