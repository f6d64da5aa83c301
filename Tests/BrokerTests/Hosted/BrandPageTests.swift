import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("brands on the hosted pages")
struct BrandPageTests {
    private static let svg = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>"#
    private static let logo = Result { try BrandImage(checking: Array(svg.utf8)) }

    private static func brand(_ configuration: inout Configuration) {
        configuration.branding.displayName = "Acme <b>Cloud</b> \"}"
        (configuration.branding.logo, configuration.branding.favicon) = (try? logo.get(), try? logo.get())
        configuration.branding.accent = SRGBColor(0x1f, 0x6f, 0x54)
        configuration.branding.homeURL = try? PageURL(checking: "https://acme.example/?a=1&b=2")
        configuration.branding.termsURL = try? PageURL(checking: "https://acme.example/terms")
        configuration.branding.supportURL = try? PageURL(checking: "mailto:help@acme.example", allowsMail: true)
    }

    private static func change(_ app: TestApp, _ changes: ClientPresentation.Changes) async throws {
        _ = try await app.broker.core.openID.clients.update(
            id: app.clientID, ClientChanges(presentation: changes), origin: Origin(.admin))
    }

    /// The links among a page's buttons.
    private static func ways(out page: TestBrowser.Page) throws -> [String] {
        try PageMarkup(page.html)["a"].filter { $0.path.contains("main") }.compactMap { $0.attributes["href"] }
    }

    @Test func `every page has the site's name, logo, colours and links, all of them as text`() async throws {
        try await TestProviders.runHosted(Self.brand) { broker, _ in
            let picture = BrandPath.image(try Self.logo.get().name)
            let page = try await TestBrowser(broker).visit("/sign-in")
            let markup = try PageMarkup(page.html)
            let home = try #require(markup["a"].first { $0.path.contains("header") })
            let style = try #require(markup["style"].first?.text)

            #expect(home.attributes["href"] == "https://acme.example/?a=1&b=2")
            #expect(home.text.contains("Acme <b>Cloud</b> \"}") && markup["b"].isEmpty)
            #expect(markup["img"].first?.attributes["src"] == picture)
            #expect(markup["link"].contains { $0.attributes["href"] == picture })
            #expect(style.contains("--accent:#1f6f54;--on-accent:#ffffff;--accent-hover:#066146"))
            #expect(style.contains("--accent:#2c795e") && !style.contains("Acme"))
            let footer = markup["a"].filter { $0.path.contains("footer") }.compactMap { $0.attributes["href"] }
            #expect(footer.starts(with: ["https://acme.example/terms", "mailto:help@acme.example"]))
            #expect(page.headers.first(name: "Content-Security-Policy")?.contains("img-src 'self'") == true)
        }
    }

    @Test func `accents are readable on the style sheet's own grounds`() throws {
        let modes = StyleSheet.text.split(separator: "@media (prefers-color-scheme:dark)", maxSplits: 1)
        for (mode, grounds) in zip(modes, [PageGrounds.light, .dark]) {
            let accent = Accent(SRGBColor(0xd6, 0x33, 0x6c), on: grounds)
            for name in ["canvas", "surface", "raised"] {
                let value = try #require(
                    try Regex("--\(name):(#[0-9a-f]{6})").firstMatch(in: mode)?.output[1].substring)
                let ground = try #require(SRGBColor(hex: String(value)))
                #expect(accent.text.contrast(to: ground) >= 4.5 && accent.fill.contrast(to: ground) >= 3, "\(name)")
            }
        }
    }

    @Test func `consent shows the app and the site, the provider, each scope, and where the browser goes`() async throws
    {
        try await TestProviders.runHosted(Self.brand) { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker)
            try await Self.change(
                app,
                .init(
                    logo: Data(Self.svg.utf8).base64EncodedString(), termsURL: "https://app.example/terms",
                    privacyURL: "https://app.example/privacy"))

            let page = try await browser.visit(app.path(["prompt": "consent"]))
            let markup = try PageMarkup(page.html)
            let text = try #require(markup["main"].first?.text)

            #expect(markup["h1"].first?.text == "Let Test app use your Acme <b>Cloud</b> \"} account?")
            let pictures = markup["img"].filter { $0.path.contains("main") }.compactMap { $0.attributes["src"] }
            let name = try Self.logo.get().name
            #expect(pictures == [BrandPath.logo(name, ofClient: app.clientID), BrandPath.image(name)])
            for part in [
                "Signed in with GitHub as", "ann@example.com", "Your name and picture", "Your email address",
                "Access until you sign out", "You go on to app.example.", "Allow and go to Test app",
            ] { #expect(text.contains(part), "\(part)") }
            #expect(
                Set(["https://app.example/terms", "https://app.example/privacy"])
                    .isSubset(of: Set(markup["a"].compactMap { $0.attributes["href"] })))
        }
    }

    @Test func `consent for an address of this machine names no host`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker, kind: .native, redirectURIs: ["http://127.0.0.1/callback"])

            let page = try await browser.visit(app.path(["redirect_uri": "http://127.0.0.1:4711/callback"]))

            #expect(page.html.contains("You go on to an app on this device."), "\(page.html)")
        }
    }

    @Test(arguments: [true, false])
    func `an error page leads to the registered start page, never to an address of the request`(
        isRegistered: Bool
    ) async throws {
        try await TestProviders.runHosted(Self.brand) { broker, _ in
            let browser = TestBrowser(broker)
            let app = try await TestApp(broker)
            if isRegistered { try await Self.change(app, .init(homeURL: "https://app.example/start")) }
            let home = isRegistered ? "https://app.example/start" : "https://acme.example/?a=1&b=2"

            let address = try await browser.visit(app.path(["redirect_uri": "https://evil.example/back"]))
            let unknown = try await browser.visit(app.path(["client_id": "nobody<i>"]))
            let missing = try await browser.visit("/interaction?form=nothing")

            #expect(try Self.ways(out: address) == [home])
            #expect(try PageMarkup(address.html)["dd"].contains { $0.text == "https://evil.example/back" })
            for page in [unknown, missing] {
                #expect(try Self.ways(out: page) == ["https://acme.example/?a=1&b=2"], "\(page.html)")
            }
            #expect(unknown.html.contains("does not know this app") && unknown.html.contains("nobody&lt;i&gt;"))
        }
    }

    @Test func `without a registered start page an error page leads to the choice of a provider, or nowhere`()
        async throws
    {
        try await TestProviders.runHosted { broker, _ in
            let browser = TestBrowser(broker)

            let unknown = try await browser.visit("/oauth/authorize?client_id=nobody")
            let ended = try await browser.visit("/interaction?form=nothing")

            #expect(try Self.ways(out: unknown).isEmpty)
            #expect(try Self.ways(out: ended) == ["/sign-in"])
        }
    }

    @Test func `a consent that was open for too long leads back to its app`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker)
            try await Self.change(app, .init(homeURL: "https://app.example/start"))
            let question = try await browser.visit(app.path(["prompt": "consent"]))
            broker.clock.advance(seconds: 3601)

            let page = try await browser.submit("/continue", on: question)

            #expect(page.status == 400 && page.html.contains("This sign-in has expired"), "\(page.html)")
            #expect(page.links.contains { $0.text.contains("Start again at Test app") })
            #expect(try Self.ways(out: page) == ["https://app.example/start"])
        }
    }
}
