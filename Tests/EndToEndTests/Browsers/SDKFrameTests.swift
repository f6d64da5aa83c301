import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// The frame and the handler page between an app's page and the SDK in it. Google's script, which no test can load, is
/// stood in for by what the frame uses of it; what travels through it is what SDKs read (contract §9.4).
@Suite("The SDK's frame", .oneEngine("Firebase's SDK in a browser"), .timeLimit(.minutes(20)))
struct SDKFrameTests {
    @Test func `an outcome in the popup reaches the SDK through its frame`() async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                try await Self.openApp(page, in: browser)
                let app = try await browser.window
                let first = try await Self.connect(browser)
                // The app's page opens it, not the frame.
                try await browser.switchTo(app)
                try await browser.script(
                    "window.open(arguments[0], 'popup')", .string(Self.handler(page, "signInViaPopup")))
                try await browser.switchToNewWindow(besides: [app])
                try await browser.consent(as: "Ada Example")
                try await browser.wait(until: "the code has left the address") {
                    try await $0.currentURL == page.broker.url + "/oauth/callback/github.com"
                }
                try await browser.switchTo(app)
                try await browser.switchToFrame(0)
                let event = try await Self.sent(2, in: browser)

                #expect(first["type"] == "unknown" && first["error"]?["code"] == "auth/no-auth-event")
                #expect(event["type"] == "signInViaPopup" && event["eventId"] == "event-1" && event["error"] == .null)
                let answer = try await Self.signIn(event, page.broker)
                #expect(answer.body["idToken"]?.string?.isEmpty == false, "\(answer)")
            }
        }
    }

    @Test func `an outcome of a redirect waits for the SDK, and is gone once it has it`() async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                try await browser.open(Self.handler(page, "signInViaRedirect"))
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forURL: page.url)
                try await Self.openApp(page, in: browser)
                let event = try await Self.connect(browser)
                try await Self.openApp(page, in: browser)
                let again = try await Self.connect(browser)

                #expect(event["type"] == "signInViaRedirect" && event["tenantId"] == .null)
                #expect(again["type"] == "unknown")
                let answer = try await Self.signIn(event, page.broker)
                #expect(answer.body["idToken"]?.string?.isEmpty == false, "\(answer)")
            }
        }
    }

    @Test func `an outcome of a redirect reaches no other origin, also none of an authorized domain`() async throws {
        try await AppPage.run { page in
            try await LocalSite.run { _ in
                LocalSite.Page("<!DOCTYPE html><html lang=\"en\"><title>Another app</title><body></body></html>")
            } _: { site in
                try await Browser.run { browser in
                    try await browser.open(Self.handler(page, "signInViaRedirect"))
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(forURL: page.url)
                    // Its domain is authorized, and its frame has the storage that the outcome is in.
                    try await Self.openApp(page, at: "http://localhost:\(site.port)/", in: browser)
                    let stored = try await Self.stored(page, in: browser)
                    let elsewhere = try await Self.connect(browser)
                    try await Self.openApp(page, in: browser)
                    let event = try await Self.connect(browser)

                    #expect(stored)
                    #expect(elsewhere["type"] == "unknown" && elsewhere["urlResponse"] == nil)
                    #expect(event["type"] == "signInViaRedirect")
                }
            }
        }
    }

    /// Whether the frame of the page that is open could read an outcome.
    private static func stored(_ page: AppPage, in browser: Browser) async throws -> Bool {
        try await browser.switchToFrame(0)
        let slot = "firebase:redirectEvent:\(page.broker.client.apiKey):[DEFAULT]"
        let found = try await browser.script("return sessionStorage.getItem(arguments[0]) !== null", .string(slot))
        try await browser.switchToPage()
        return found == true
    }

    @Test func `a frame of another app's name, or a forged message, is not listened to`() async throws {
        try await AppPage.run { page in
            try await Browser.run { browser in
                try await Self.openApp(page, in: browser)
                try await browser.script(
                    """
                    document.querySelector("iframe").contentWindow.postMessage({ eventType: "sendAuthEvent",
                      data: { storageKey: arguments[0], authEvent: { type: "signInViaPopup" } } }, "*")
                    """, .string("\(page.broker.client.apiKey):[DEFAULT]"))
                let first = try await Self.connect(browser)

                #expect(first["type"] == "unknown")
                #expect(try await browser.script("return window.sent.length") == 1)
            }
        }
    }

    private static func handler(_ page: AppPage, _ type: String) -> String {
        page.broker.url + "/__/auth/handler?"
            + FormEncoding.encode([
                ("apiKey", page.broker.client.apiKey), ("appName", "[DEFAULT]"), ("authType", type),
                ("redirectUrl", page.url), ("v", "12.0.0"), ("eventId", "event-1"), ("providerId", "github.com"),
            ])
    }

    /// The app's page with the frame the SDK puts into it.
    private static func openApp(_ page: AppPage, at url: String? = nil, in browser: Browser) async throws {
        try await browser.open(url ?? page.url)
        let query = FormEncoding.encode([
            ("apiKey", page.broker.client.apiKey), ("appName", "[DEFAULT]"), ("v", "12.0.0"),
        ])
        try await browser.script(
            """
            const frame = document.createElement("iframe");
            frame.src = arguments[0];
            const loaded = new Promise((resolve) => frame.onload = resolve);
            document.body.append(frame);
            await loaded;
            """, .string("\(page.broker.url)/__/auth/iframe?\(query)"))
    }

    /// Lets the frame find what it expects of Google's script.
    ///
    /// - Returns: the first event it tells the SDK.
    private static func connect(_ browser: Browser) async throws -> JSONValue {
        try await browser.switchToFrame(0)
        try await browser.script(
            """
            window.sent = [];
            const sdk = {
              register(name, answer) { window.registered = [name, answer()]; },
              send(name, content, receive) { window.sent.push(content); receive([{ status: "ACK" }]); }
            };
            window.gapi = {
              load(name, options) { options.callback(); },
              iframes: { getContext: () => ({ getParentIframe: () => sdk }) }
            };
            window.gapi_onload();
            """)
        let registered = try await browser.script("return window.registered")
        #expect(registered == ["webStorageSupport", ["status": "ACK", "webStorageSupport": true]])
        return try await sent(1, in: browser)
    }

    /// The event the frame has told the SDK last, once it has told so many.
    private static func sent(_ count: Int, in browser: Browser) async throws -> JSONValue {
        try await browser.wait(until: "the SDK has \(count) events") {
            try await $0.script("return window.sent.length === arguments[0]", .integer(Int64(count))) == true
        }
        let message = try await browser.script("return window.sent[window.sent.length - 1]")
        #expect(message["type"] == "authEvent")
        return message["authEvent"] ?? .null
    }

    private static func signIn(_ event: JSONValue, _ broker: HostedBroker) async throws -> IdentityToolkitApp.Answer {
        try await broker.client.post(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
            [
                "requestUri": event["urlResponse"] ?? .null, "sessionId": event["sessionId"] ?? .null,
                "postBody": event["postBody"] ?? .null, "returnSecureToken": true, "returnIdpCredential": true,
            ])
    }
}
