import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// An app with Firebase's SDK and without Google's scripts, by the code of `Docs/AddSignIn-Firebase.md`.
@Suite(
    "The script-free flow of apps with Firebase's SDK", .oneEngine("pages in a browser, Firebase's SDK"),
    .timeLimit(.minutes(20)))
struct ScriptFreeSignInTests {
    @Test(arguments: ["github.com", "gitlab.com", "apple.com", "1pass.dev"])
    func `a popup ends in a credential the SDK signs in with`(provider: String) async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                try await browser.open(page.url + "?with=\(provider)")
                let credential = try await Self.throughPopup(browser) {
                    try await $0.click(.radio, provider == "1pass.dev" ? "ada" : "Ada Example")
                    try await $0.click(.button, "Authorize")
                }

                #expect(credential["providerId"]?.string == provider, "\(credential.serialized())")
                let session = try await Self.signIn(with: credential, page.broker)
                let found = try await page.broker.client.lookup(session.idToken)
                let identity = found.body["users"]?.array?.first?["providerUserInfo"]?.array?.first
                #expect(identity?["providerId"]?.string == provider, "\(found)")
            }
        }
    }

    @Test func `a cancellation is reported to the page, and the popup is closed`() async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                try await browser.open(page.url)
                let app = try await browser.window
                try await browser.click(.button, "Sign in")
                try await browser.switchToNewWindow(besides: [app])
                try await browser.click(.button, "Cancel")
                try await browser.switchTo(app)
                try await browser.wait(forText: "failed USER_CANCELLED")
                try await browser.wait(until: "the popup is closed") { try await $0.windows == [app] }
            }
        }
    }

    @Test func `whole pages need nothing but the app's own`() async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                try await browser.open(page.url + "?with=gitlab.com")
                try await browser.click(.button, "Leave")
                try await browser.consent(as: "Ada Example")
                let credential = try await Self.outcome(in: browser)

                #expect(try await browser.currentURL == page.url, "no code stays in the address")
                let session = try await Self.signIn(with: credential, page.broker)
                #expect(!session.localID.isEmpty)
            }
        }
    }

    @Test func `what Apple posted waits in the broker's frame for the page it is meant for`() async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                let handler = page.broker.url + "/__/auth/handler?"
                try await browser.open(
                    handler
                        + FormEncoding.encode([
                            ("apiKey", page.broker.client.apiKey), ("appName", "[DEFAULT]"),
                            ("authType", "signInViaRedirect"), ("redirectUrl", page.url), ("providerId", "apple.com"),
                        ]))
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forURL: page.url)
                try await browser.wait(forText: "Sign in")
                try await browser.script("await window.eventFromFrame()")
                let event = try await Self.outcome(in: browser)
                let answer = try await Self.exchange(event, page.broker)
                try await browser.script("await window.eventFromFrame()")
                let again = try await Self.outcome(in: browser)

                #expect(event["type"] == "signInViaRedirect" && event["postBody"]?.string?.contains("code=") == true)
                #expect(event["urlResponse"]?.string?.contains("code=") == false)
                #expect(answer.body["pendingToken"]?.string?.isEmpty == false, "\(answer)")
                #expect(again["type"] == "unknown")
            }
        }
    }

    @Test func `a page of another origin learns nothing, whatever it opens`() async throws {
        try await AppPage.run { page in
            try await LocalSite.run { _ in
                LocalSite.Page(Self.stranger)
            } _: { site in
                try await Browser.run { browser in
                    let handler = page.broker.url + "/__/auth/handler?"
                    let query: [(name: String, value: String)] = [
                        ("apiKey", page.broker.client.apiKey), ("appName", "[DEFAULT]"),
                        ("authType", "signInViaPopup"), ("handOver", "message"), ("redirectUrl", page.url),
                        ("providerId", "github.com"),
                    ]
                    try await browser.open("http://localhost:\(site.port)/")
                    let own = try await browser.window
                    try await browser.script(
                        "window.open(arguments[0], 'popup')", .string(handler + FormEncoding.encode(query)))
                    try await browser.switchToNewWindow(besides: [own])
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(until: "the code has left the address") {
                        try await $0.currentURL == page.broker.url + "/oauth/callback/github.com"
                    }
                    try await browser.switchTo(own)
                    let heard = try await browser.script("return window.heard")

                    #expect(heard == [])
                }
            }
        }
    }

    private static let stranger = """
        <!DOCTYPE html><html lang="en"><title>A stranger</title>
        <script>window.heard = []; window.onmessage = (message) => window.heard.push(message.data)</script></html>
        """

    private static func throughPopup(
        _ browser: Browser, _ decide: (Browser) async throws -> Void
    ) async throws -> JSONValue {
        let app = try await browser.window
        try await browser.click(.button, "Sign in")
        try await browser.switchToNewWindow(besides: [app])
        try await decide(browser)
        try await browser.switchTo(app)
        return try await outcome(in: browser)
    }

    /// What the page shows when it is done.
    private static func outcome(in browser: Browser) async throws -> JSONValue {
        try await browser.wait(forText: "done ")
        let text = try await browser.script("return document.getElementById('result').textContent").string ?? ""
        return try JSONValue(parsing: text.dropFirst("done ".count).utf8)
    }

    /// As the SDK does with a credential that carries a pending token.
    private static func signIn(
        with credential: JSONValue, _ broker: HostedBroker
    ) async throws -> IdentityToolkitApp.Session {
        try IdentityToolkitApp.Session(
            try await broker.client.post(
                "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
                [
                    "requestUri": "http://localhost", "returnSecureToken": true,
                    "pendingToken": credential["pendingToken"] ?? .null,
                ]))
    }

    private static func exchange(_ event: JSONValue, _ broker: HostedBroker) async throws -> IdentityToolkitApp.Answer {
        try await broker.client.post(
            "/v1/broker/credentials:exchange",
            [
                "requestUri": event["urlResponse"] ?? .null, "sessionId": event["sessionId"] ?? .null,
                "postBody": event["postBody"] ?? .null,
            ])
    }
}
