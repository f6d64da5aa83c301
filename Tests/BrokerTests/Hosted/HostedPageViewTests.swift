import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Broker

@Suite("hosted pages")
struct HostedPageViewTests {
    private static let renderer = PageRenderer(publicURL: "https://id.example", brand: PageBrand(name: "Example ID"))
    private static let samples = HostedPageSamples().all
    private static let names = samples.map(\.name)

    private static func html(
        _ name: String, _ language: PageLanguage, of samples: [(name: String, page: any HostedPage)] = samples
    ) throws -> String {
        let page = try #require(samples.first { $0.name == name }).page
        return
            renderer
            .html(page, language: language, languageURL: { "/sign-in?ui_locales=\($0.tag)&a=1" }, nonce: "N0nce")
    }

    @Test(arguments: names, PageLanguages.embedded.all)
    func `are well-formed and sound to a screen reader`(name: String, language: PageLanguage) throws {
        let page = try PageMarkup(try Self.html(name, language))
        let ids = page.having("id").compactMap { $0.attributes["id"] }

        #expect(page["html"].map { $0.attributes["lang"] } == [language.tag])
        #expect(page["h1"].count == 1 && page["main"].count == 1 && page["header"].count == 1)
        #expect(page["h1"].first?.path.contains("main") == true)
        #expect(page.elements.first { ["h1", "h2", "h3"].contains($0.name) }?.name == "h1")
        #expect(page["title"].first?.text.hasSuffix(" · Example ID") == true)
        #expect(Set(ids).count == ids.count, "\(ids)")
        for attribute in ["for", "aria-labelledby", "aria-describedby"] {
            let named = page.having(attribute).flatMap { $0.attributes[attribute, default: ""].split(separator: " ") }
            #expect(named.allSatisfy { ids.contains(String($0)) }, "\(attribute) \(named)")
        }
        let labelled = Set(page["label"].compactMap { $0.attributes["for"] })
        for input in page["input"] where input.attributes["type"] != "hidden" {
            #expect(labelled.contains(input.attributes["id"] ?? ""))
        }
        for control in page["button"] + page["a"] + page["h1"] + page["h2"] + page["label"] {
            #expect(!control.text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty, "\(control)")
        }
        #expect(page["svg"].allSatisfy { $0.attributes["aria-hidden"] == "true" })
        #expect(page["form"].allSatisfy { $0.attributes["method"] == "post" })
    }

    @Test(arguments: names)
    func `load only pictures of the broker, run only the clock's script and need no inline style`(name: String) throws {
        let html = try Self.html(name, .english)
        let page = try PageMarkup(html)

        let clock = ["nonce": "N0nce", "data-moment": "{date}, {time}"]
        #expect(page["script"].map(\.attributes) == (name.hasPrefix("account") ? [clock] : []))
        #expect(page["script"].allSatisfy { $0.text == LocalTimeScript.text })
        #expect(page["link"].map(\.attributes) == [["rel": "icon", "href": "/favicon.ico"]])
        #expect(page["iframe"].isEmpty && page["base"].isEmpty)
        // Only the pictures of a brand, which are the broker's own and say nothing that no text beside them says.
        #expect(page["img"].allSatisfy { $0.attributes == ["src": "/favicon.ico", "alt": ""] })
        #expect(page["source"].allSatisfy { $0.attributes["srcset"] == "/favicon.ico" })
        for element in page.elements where !["img", "source"].contains(element.name) {
            let attributes = element.attributes.keys
            #expect(!attributes.contains { $0.hasPrefix("on") || ["src", "srcset", "style"].contains($0) })
        }
        let style = try #require(page["style"].first)
        #expect(style.attributes["nonce"] == "N0nce")
        #expect(!style.text.contains("http") && !style.text.contains("url(") && !style.text.contains("@import"))
        #expect(style.text.filter { $0 == "{" }.count == style.text.filter { $0 == "}" }.count)
    }

    /// Hostile names of a user or of an app.
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\"\u{301} onfocus=\"alert(1)",
        "<\u{338}b>&\u{301}lt;", "</style></title><h1>", "{{title}}{{{style}}}{{> form}}", "{}", "a\u{0}b\u{8}\u{1B}c",
        "--></main>]]>",
    ]

    @Test(arguments: hostile, PageLanguages.embedded.all)
    func `keep their structure whatever a name says`(text: String, language: PageLanguage) throws {
        let plain = HostedPageSamples(everywhere: "plain").all
        let named = HostedPageSamples(everywhere: text).all
        let shown = text.filter { !"\u{0}\u{8}\u{1B}".contains($0) }

        for name in Self.names {
            let page = try PageMarkup(try Self.html(name, language, of: named))
            #expect(page.structure == (try PageMarkup(try Self.html(name, language, of: plain))).structure, "\(name)")
        }
        let chooser = try PageMarkup(try Self.html("chooser", language, of: named))
        #expect(chooser["h1"].first?.text.contains(shown) == true)
        let confirmation = try PageMarkup(try Self.html("confirm-link", language, of: named))
        #expect(confirmation["dd"].first?.text == shown)
        #expect(confirmation["input"].first?.attributes["value"] == shown)
    }

    @Test func `leave out what turns the direction of text`() {
        let shown = PageEscaping().escapeText("moc.\u{202E}elpmaxe\u{2066}\u{200F}!")

        #expect(shown == "moc.elpmaxe!")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
        "\u{1}javascript:alert(1)", "data:text/html,x", "vbscript:x", "blob:https://id.example/1", ":x",
    ])
    func `never link to something a browser would run`(address: String) throws {
        let page = ChooserPage(providers: [.init(id: "x", kind: "oidc", name: "X", href: address)], cancelHref: address)
        let form = HiddenForm(action: address, fields: [])

        let links = try PageMarkup(Self.renderer.html(page, language: .english, nonce: "n"))["a"]

        #expect(links.map { $0.attributes["href"] } == ["/", "/"])
        #expect(form.action.href == "/")
    }

    @Test(arguments: [
        "/oauth/authorize?a=b:c", "https://app.example/cb?x=1", "http://127.0.0.1:8400/cb", "com.example.app:/cb",
        "sign-in", "?provider=a:b",
    ])
    func `link to paths, sites and apps as they are given`(address: String) {
        #expect(PageLink(address).href == address)
    }

    @Test func `give each provider the button its rules ask for`() throws {
        let buttons = try PageMarkup(try Self.html("chooser", .korean))["a"].filter {
            $0.attributes["class"]?.hasPrefix("provider ") == true
        }

        #expect(
            buttons.map { $0.attributes["class"] } == [
                "provider github", "provider gitlab", "provider apple", "provider onepass", "provider neutral",
            ])
        // Apple fixes the words; a name of the operator's does not change them.
        #expect(buttons.map(\.text).contains("Apple로 계속하기"))
        #expect(buttons.last?.text == "AAcme Staff Login 계정으로 계속하기")
    }

    @Test func `ask for a tick before an account is deleted, and for nothing else`() throws {
        for name in Self.names {
            let boxes = try PageMarkup(try Self.html(name, .english))["input"]
                .filter { $0.attributes["type"] == "checkbox" }
            #expect(boxes.count == (name.hasPrefix("confirm-delete") ? 1 : 0))
            #expect(boxes.allSatisfy { $0.attributes["required"] != nil && $0.attributes["name"] == "understood" })
        }
    }

    @Test func `show the provider used last first, and no more than five at once`() throws {
        func buttons(_ name: String) throws -> [(id: String, isFolded: Bool)] {
            try PageMarkup(try Self.html(name, .english))["a"].compactMap { link in
                link.attributes["data-provider"].map { ($0, link.path.contains("details")) }
            }
        }
        let plain = try buttons("chooser")
        let used = try buttons("chooser-used-last")
        let nine = try buttons("chooser-nine")

        #expect(plain.map(\.id) == ["github.com", "gitlab.com", "apple.com", "1pass.dev", "oidc.acme"])
        #expect(used.map(\.id) == ["gitlab.com", "github.com", "apple.com", "1pass.dev", "oidc.acme"])
        #expect(
            nine.first?.id == "oidc.further-3"
                && nine.map(\.isFolded) == [Bool](repeating: false, count: 5) + [Bool](repeating: true, count: 4))
        #expect(try Self.html("chooser-one", .english).contains("Used last") == false)
        #expect(try Self.html("chooser-used-last", .english).contains("Used last on this device"))
    }

    @Test func `paint a button in the colours of its entry, and no other button`() throws {
        let colors = ButtonColors(
            background: try #require(SRGBColor(hex: "#5865f2")), foreground: try #require(SRGBColor(hex: "#ffffff")))
        let page = try Self.html("chooser-colours", .english)
        let rule = #".provider[data-provider="oauth2.blue"],.provider[data-provider="oauth2.blue"]:hover"#

        #expect(page.contains(rule + "{background:\(colors.background.hex);color:\(colors.foreground.hex)}"))
        #expect(!page.contains(#"[data-provider="oidc.acme"]"#) && !page.contains("style=\""))
        #expect(try !Self.html("chooser", .english).contains("[data-provider="))
    }

    @Test func `list five places at once, and the rest behind a summary`() throws {
        let page = try PageMarkup(try Self.html("account", .english))

        let summaries = page["summary"].filter { $0.path.contains("main") }.map(\.text)
        #expect(summaries == ["Review Firefox · Linux", "Show 4 more"])
        #expect(page["span"].contains { $0.text == "2 entries" })
        let places = page["li"].filter {
            $0.path.contains("main") && $0.text.contains("Signed in with GitHub") && $0.text.contains("Last used")
        }
        #expect(places.filter { !$0.path.contains("details") && !$0.path.contains("li") }.count == 5)
        #expect(places.filter { $0.path.contains("details") && $0.path.contains("li") }.count == 2)
        #expect(places.filter { $0.path.contains("details") && !$0.path.contains("li") }.count == 4)
    }

    @Test func `say that access is deleted only where it is`() throws {
        #expect(try Self.html("confirm-unlink", .english).contains("deletes the access tokens"))
        #expect(try !Self.html("confirm-unlink-last", .english).contains("deletes"))
    }

    @Test func `offer the same page in the other languages`() throws {
        let page = try PageMarkup(try Self.html("chooser", .english))
        let nav = page.elements.filter { $0.path.contains("nav") }

        #expect(
            nav.filter { $0.name == "a" }.map { $0.attributes["href"] }
                == ["ko", "ja", "ar"].map { "/sign-in?ui_locales=\($0)&a=1" })
        #expect(nav.first { $0.name == "summary" }?.text == "English")
        let alone = Self.renderer.html(SignedOutPage(), language: .english, nonce: "n")
        #expect(try PageMarkup(alone)["nav"].isEmpty)
    }
}

extension HostedPageSamples {
    /// All strings of others the same: what must not matter to the structure of a page.
    fileprivate init(everywhere text: String) {
        self.init()
        (person, email, app, site, gitHub, label) = (text, text, text, text, text, text)
        (acme, token, address, browser, network, host) = (text, text, text, text, text, text)
        (clientID, scope, claim, userCode) = (text, text, text, text)
    }
}
