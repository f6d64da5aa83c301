import BrowserTesting
import ProviderKit
import Testing

@Suite("Browser", .timeLimit(.minutes(20)))
struct BrowserTests {
    /// A page on which something can be done.
    private static let form = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A form</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>body { background: #ffffff } @media (prefers-color-scheme: dark) { body { background: #000000 } }</style>
        </head><body><h1>Tell us</h1>
        <form method="post" action="/answers"><label>Your name <input name="name" required></label>
        <label><input type="checkbox" name="news" value="yes"> News by e-mail</label>
        <button name="decision" value="yes">Send it</button><button formnovalidate>Cancel</button></form>
        <p><a href="/elsewhere" target="_blank">Elsewhere <img alt="in a new window" src="data:,"></a></p>
        </body></html>
        """

    @Test func `a form is found by what it is called, filled in and sent`() async throws {
        try await LocalSite.run(Self.answer) { site in
            try await Browser.run { browser in
                try await browser.open("http://127.0.0.1:\(site.port)/")
                let field = try await browser.element(.textbox, "Your name")
                try await field.type("김하나 & Söhne")
                try await browser.click(.checkbox, "News by e-mail")
                let isTicked = try await browser.element(.checkbox, "News by e-mail").isSelected
                let title = try await browser.title
                try await browser.click(.button, "Send it")
                try await browser.wait(forText: "Thank you")

                let posted = try #require(site.visits.last { $0.method == "POST" })
                let fields = try #require(FormEncoding.decode(posted.body.utf8))
                #expect(fields.map(\.name) == ["name", "news", "decision"])
                #expect(fields.first?.value == "김하나 & Söhne")
                #expect(posted.headers["origin"] == "http://127.0.0.1:\(site.port)")
                #expect(posted.headers["sec-fetch-site"] == "same-origin")
                #expect(isTicked && title == "A form")
                #expect(try await browser.currentURL == "http://127.0.0.1:\(site.port)/answers")
            }
        }
    }

    @Test func `the keyboard alone gets through a form`() async throws {
        try await LocalSite.run(Self.answer) { site in
            try await Browser.run { browser in
                try await browser.open("http://localhost:\(site.port)/")
                try await browser.press(.tab)
                try await browser.focused.type("Ada")
                try await browser.press(.tab)
                try await browser.press(.space)
                try await browser.press(.tab)
                let button = try await browser.focused.name
                try await browser.press(.enter)
                try await browser.wait(forText: "Thank you")

                #expect(button == "Send it")
                #expect(site.visits.last { $0.method == "POST" }?.body == "name=Ada&news=yes&decision=yes")
            }
        }
    }

    @Test(arguments: [BrowserOptions.Size.phone, .desktop], [BrowserOptions.ColorScheme.light, .dark])
    func `a page knows the size, the language and the colours of its reader`(
        size: BrowserOptions.Size, colors: BrowserOptions.ColorScheme
    ) async throws {
        try await LocalSite.run(Self.answer) { site in
            let options = BrowserOptions(size: size, language: "ko", colorScheme: colors)
            try await Browser.run(options) { browser in
                try await browser.open("http://127.0.0.1:\(site.port)/")
                let width = try await browser.script("return innerWidth").integer
                let background = try await browser.script("return getComputedStyle(document.body).backgroundColor")
                try await browser.screenshot("form")

                #expect(size == .phone ? width == 390 : width == 1280)
                #expect(background == (colors == .dark ? "rgb(0, 0, 0)" : "rgb(255, 255, 255)"))
                #expect(site.visits.first?.headers["accept-language"]?.hasPrefix("ko") == true)
            }
        }
    }

    @Test func `another window is opened, driven and closed`() async throws {
        try await LocalSite.run(Self.answer) { site in
            try await Browser.run { browser in
                try await browser.open("http://127.0.0.1:\(site.port)/")
                let first = try await browser.window
                try await browser.click(.link, "Elsewhere in a new window")
                try await browser.switchToNewWindow(besides: [first])
                try await browser.wait(forText: "Thank you")
                let there = try await browser.currentURL
                try await browser.closeWindow()

                #expect(there == "http://127.0.0.1:\(site.port)/elsewhere")
                #expect(try await browser.windows == [first])
                #expect(try await browser.title == "A form")
            }
        }
    }

    @Test func `no page reaches the internet`() async throws {
        try await Browser.run { browser in
            let failure = await #expect(throws: BrowserFailure.self) { try await browser.open("http://example.com/") }

            #expect(failure?.description.contains("ERR_NAME_NOT_RESOLVED") == true)
        }
    }

    @Test func `what never appears is reported with what is there instead`() async throws {
        try await LocalSite.run(Self.answer) { site in
            try await Browser.run { browser in
                try await browser.open("http://127.0.0.1:\(site.port)/")
                let failure = await #expect(throws: BrowserFailure.self) {
                    try await browser.wait(until: "the form is gone", for: .zero) { _ in false }
                }

                #expect(failure?.description.contains("the form is gone") == true)
                #expect(failure?.description.contains("News by e-mail") == true)
            }
        }
    }

    @Sendable private static func answer(_ visit: LocalSite.Visit) -> LocalSite.Page {
        visit.path == "/" ? LocalSite.Page(form) : LocalSite.Page("<title>Done</title><p>Thank you</p>")
    }
}
