import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("An authorization request that was pushed")
struct PushedRequestTests {
    @Test func `a user who turns back chooses another provider, and the request yields only one code`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let app = try await TestApp(broker)
            let path = try await Self.push(app)
            let browser = TestBrowser(broker)
            let chooser = try await browser.visit(path)
            let left = try await browser.follow("GitHub", on: chooser)
            #expect(left.url.hasPrefix(providers.gitHub.url))
            let consent = try await browser.follow("GitLab", on: chooser)
            let back = try await browser.submit(on: consent, ["person": ann.account])
            #expect(try await app.redeem(try #require(back["code"], "\(back.html)")).status == 200)
            let again = try await browser.visit(path)
            #expect(again.status == 400 && !again.isForeign, "\(again.url)")
        }
    }

    @Test func `of two tabs with one request the first gets the code`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let chooser = try await browser.visit(try await Self.push(try await TestApp(broker)))
            let (first, second) = (
                try await browser.follow("GitHub", on: chooser), try await browser.follow("GitHub", on: chooser)
            )
            #expect(try await browser.submit(on: first, ["person": ann.account])["code"] != nil)
            let late = try await browser.submit(on: second, ["person": ann.account])
            #expect(!late.isForeign && late.status == 400, "\(late.url)")
            // The second sign-in took the first one's place all the same.
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `it is to be opened within ten minutes, and may be finished after them`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let path = try await Self.push(try await TestApp(broker))
            let chooser = try await browser.visit(path)
            broker.clock.advance(seconds: 601)
            #expect(try await TestBrowser(broker).visit(path).status == 400)
            let consent = try await browser.follow("GitHub", on: chooser)
            #expect(try await browser.submit(on: consent, ["person": ann.account])["code"] != nil)
        }
    }

    @Test func `the pages use the language of the request until the user chooses another`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let browser = TestBrowser(broker)
            let page = try await browser.visit(try await Self.push(try await TestApp(broker), ["ui_locales": "ko"]))
            #expect(page.html.contains(#"<html lang="ko""#))
            #expect(try await browser.follow("English", on: page).html.contains(#"<html lang="en""#))
        }
    }

    @Test func `scopes that an app requests of a provider are pushed too`() async throws {
        try await TestProviders.runHosted(entries: { $0["allowedScopes"] = ["read_api"] }) { broker, providers in
            var application = providers.gitLab.defaultApplication
            application.scopes.append("read_api")
            providers.gitLab.register(application)
            let app = try await TestApp(broker)
            func visit(_ scope: String) async throws -> TestBrowser.Page {
                let path = try await Self.push(app, ["provider": "gitlab.com", "provider_scope": scope])
                return try await TestBrowser(broker).visit(path)
            }

            let allowed = try await visit("read_api")
            let refused = try await visit("sudo")

            #expect(allowed["scope"]?.split(separator: " ").contains("read_api") == true, "\(allowed.url)")
            #expect(refused["error"] == "invalid_scope", "\(refused.url)")
        }
    }

    /// - Returns: The path to open in a browser.
    private static func push(_ app: TestApp, _ changes: [String: String?] = [:]) async throws -> String {
        var changes = changes
        changes["client_id"] = .some(nil)
        let pushed = try await app.post("/oauth/par", app.parameters(changes))
        guard pushed.status == 201 else { throw TestFailure(pushed.text) }
        let query = [("client_id", app.clientID), ("request_uri", try pushed.string("request_uri"))]
        return "/oauth/authorize?" + FormEncoding.encode(query)
    }
}
