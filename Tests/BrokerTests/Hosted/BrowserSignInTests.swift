import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Signing in through the browser")
struct BrowserSignInTests {
    @Test(arguments: TestProviders.ids)
    func `an app that knows only OpenID Connect signs a user in with any provider`(_ provider: String) async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: provider, email: "ann@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let chooser = try await browser.visit(app.path())
            #expect(chooser.status == 200)
            let consent = try await browser.follow(try #require(TestProviders.names[provider]), on: chooser)
            let back = try await browser.submit(on: consent, providers.choice(of: person))
            #expect(back.isForeign && back.url.hasPrefix(TestApp.redirectURI + "?"), "\(back.url) \(back.html)")
            #expect(back["state"] == app.state)
            #expect(back["iss"] == TestBrowser.publicURL)
            let answer = try await app.redeem(try #require(back["code"]))
            #expect(answer.status == 200, "\(answer.text)")
            let claims = try TestApp.claims(try answer.string("id_token"))
            #expect(claims["aud"]?.string == app.clientID)
            #expect(claims["nonce"]?.string == app.nonce)
            #expect(claims["iss"]?.string == TestBrowser.publicURL)
            #expect(claims["email"]?.string == "ann@example.com")
            #expect(claims["amr"]?.array?.contains("fed") == true)
            #expect(try answer.string("refresh_token").hasPrefix("ort1_"))
        }
    }

    @Test func `Apple's code is in no address the browser ever had`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "apple.com"]))
            let back = try await browser.submit(on: consent, providers.choice(of: person))
            #expect(back.isForeign)
            let ours = browser.visited.filter { $0.contains("/oauth/callback/") }
            #expect(ours.count == 2)
            #expect(!ours.contains { $0.contains("code=") })
        }
    }
}
