import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// A device without a browser that waits for its user, as an app of the broker's.
struct TestDevice: Sendable {
    let app: OAuthApp
    let deviceCode: String
    let userCode: String

    /// Registers an app, which asks for a code.
    init(at broker: TestBroker, scope: String = "openid offline_access") async throws {
        try await self.init(of: try await OAuthApp(at: broker, .native, redirectURIs: []), scope: scope)
    }

    init(of app: OAuthApp, scope: String = "openid offline_access") async throws {
        let answer = try await app.post("/oauth/device_authorization", [("scope", scope)])
        guard answer.status == 200 else { throw TestFailure("no code: \(answer.text)") }
        self.app = app
        deviceCode = try answer.string("device_code")
        userCode = try answer.string("user_code")
    }

    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Asks for tokens once.
    func poll(as other: OAuthApp? = nil) async throws -> Answer {
        try await (other ?? app).post(
            "/oauth/token", [("grant_type", Self.grantType), ("device_code", deviceCode)])
    }

    /// What the page with the code filled in has to say.
    func open(in browser: TestBrowser) async throws -> TestBrowser.Page {
        try await browser.visit("/device?" + FormEncoding.encode([("user_code", userCode)]))
    }

    /// Types the code in and lets the device in, signing in on the way when the browser has no session.
    func approve(in browser: TestBrowser, as person: String) async throws -> TestBrowser.Page {
        var page = try await open(in: browser)
        if page.hasCodeEntry {
            let chooser = try await browser.submit("/device", on: page)
            let consent = try await browser.follow("GitHub", on: chooser)
            page = try await browser.submit(on: consent, ["person": person])
        }
        return try await browser.submit("/device", on: page, ["decision": "allow"])
    }
}

extension TestBrowser.Page {
    /// Whether it asks for a code.
    var hasCodeEntry: Bool { html.contains(#"id="user_code""#) }
    /// Whether it asks for a decision.
    var asksForDecision: Bool { html.contains(#"value="deny""#) }
}

extension TestBroker {
    /// A broker whose public URL is the one ``TestBrowser`` goes to.
    static func runHosted<Value>(_ test: (TestBroker) async throws -> Value) async throws -> Value {
        try await run({ $0.publicURL = TestBrowser.publicURL }, test)
    }

    /// What the consent page of GitHub's simulator calls a person.
    func account(_ login: String) throws -> String { String(try person(login).id) }
}
