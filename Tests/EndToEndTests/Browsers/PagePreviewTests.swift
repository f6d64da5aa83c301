import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import Subprocess
import Testing

/// All hosted pages and those of the console, as `broker pages preview` serves them, in a real browser.
@Suite("The preview of the pages", .oneEngine("pages without a store"), .timeLimit(.minutes(20)))
struct PagePreviewTests {
    /// What is served.
    private struct Preview {
        let url: String
        let pages: [String]
        /// English first.
        let languages: [String]
        /// In English only.
        let consolePages: [String]

        init(_ document: JSONValue) throws {
            url = try #require(document["url"]?.string)
            pages = try #require(document["pages"]?.array).compactMap(\.string)
            languages = try #require(document["languages"]?.array).compactMap(\.string)
            consolePages = try #require(document["consolePages"]?.array).compactMap(\.string)
        }
    }

    /// Serves the pages while `body` runs.
    private static func run(_ body: (Preview) async throws -> Void) async throws {
        let folder = try TestFolder()
        try await BrokerProcess.run(["pages", "preview", "--json"], in: folder) { process in
            let line = try #require(await process.output.firstLine(), "\(process.log.text)")
            try await body(try Preview(try JSONValue(parsing: line)))
        }
    }

    /// English is shown in both; of the other languages, half of the pages in each.
    @Test(arguments: [false, true])
    func `no page has a finding of axe-core or scrolls sideways`(isDarkPhone: Bool) async throws {
        let axe = try await Self.axe()
        let options = BrowserOptions(
            size: isDarkPhone ? .phone : .desktop, colorScheme: isDarkPhone ? .dark : .light)

        try await Self.run { preview in
            #expect(preview.pages.count > 70 && preview.languages.first == "en")
            try await Browser.run(options) { browser in
                try await browser.runInEachPage(axe)
                for (turn, language) in preview.languages.enumerated() {
                    for (number, page) in preview.pages.enumerated()
                    where turn == 0 || ((turn + number) % 2 == 1) == isDarkPhone {
                        try await browser.open("\(preview.url)/\(page)?ui_locales=\(language)")
                        let found = try await Self.findings(browser)
                        #expect(found.array == [], "\(page) in \(language): \(found.serialized())")
                        #expect(try await Self.isWithinItsWidth(browser), "\(page) in \(language)")
                        try await browser.screenshot("page-\(page)-\(language)")
                    }
                }
                #expect(preview.consolePages.count > 15)
                for page in preview.consolePages {
                    try await browser.open("\(preview.url)/\(page)")
                    let found = try await Self.findings(browser)
                    #expect(found.array == [], "\(page): \(found.serialized())")
                    #expect(try await Self.isWithinItsWidth(browser), "\(page)")
                    try await browser.screenshot("page-\(page)")
                }
            }
        }
    }

    @Test func `no page scrolls sideways at 320 pixels`() async throws {
        try await Self.run { preview in
            try await Browser.run { browser in
                try await browser.show(width: 320)
                for language in preview.languages {
                    for page in preview.pages {
                        try await browser.open("\(preview.url)/\(page)?ui_locales=\(language)")
                        #expect(try await Self.isWithinItsWidth(browser), "\(page) in \(language)")
                    }
                }
                for page in preview.consolePages {
                    try await browser.open("\(preview.url)/\(page)")
                    #expect(try await Self.isWithinItsWidth(browser), "\(page)")
                }
            }
        }
    }

    private static func isWithinItsWidth(_ browser: Browser) async throws -> Bool {
        let isWithin = try await browser.script(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        return isWithin == true
    }

    /// The rules that the page breaks, each with the elements that do. The page has to have axe-core.
    private static func findings(_ browser: Browser) async throws -> JSONValue {
        try await browser.script(
            """
            return axe.run(document, { resultTypes: ["violations"] }).then(function (result) {
              return result.violations.map(function (rule) {
                return rule.id + ": " + rule.nodes.map(function (node) { return node.html }).join(" ")
              })
            })
            """)
    }

    /// What is folded is hidden, but axe-core walks through all of it: it is taken out.
    @Test func `the description of the API has no finding of axe-core`() async throws {
        let axe = try await Self.axe()

        try await HostedBroker.run { broker in
            try await Browser.run { browser in
                try await browser.runInEachPage(axe)
                try await browser.open(broker.url + "/docs")
                try await browser.script(
                    """
                    document.querySelectorAll('details').forEach(function (one, index) {
                      one.open = index < 6
                      if (!one.open) { one.replaceChildren(one.querySelector('summary')) }
                    })
                    """)
                let found = try await Self.findings(browser)

                #expect(found.array == [], "\(found.serialized())")
            }
        }
    }

    @Test func `the chooser's first paint takes no more than 25 KB`() async throws {
        try await HostedBroker.run { broker in
            try await Browser.run { browser in
                try await browser.open(broker.url + "/sign-in")
                let bytes = try await browser.script(
                    "return performance.getEntriesByType('navigation')[0].transferSize")

                #expect((1...25_000).contains(bytes.integer ?? 0), "\(bytes.serialized())")
                // The icon is no part of it.
                let others = try await browser.script(
                    "return performance.getEntriesByType('resource').map(function (one) { return one.name })")
                #expect(others.array?.allSatisfy { $0.string?.hasSuffix("/favicon.ico") == true } == true)
            }
        }
    }

    @Test func `links, folded parts and languages work with scripts off`() async throws {
        try await Self.run { preview in
            let url = preview.url
            try await Browser.run(.init(runsScripts: false)) { browser in
                try await browser.open(url + "/chooser-nine")
                let further = try await browser.elements("details.more a.provider")
                #expect(further.count == 4)
                #expect(try await further.first?.isShown == false)
                try await browser.element("details.more summary").click()
                #expect(try await further.first?.isShown == true)
                try await browser.element("details.menu summary").click()
                try await browser.element("details.menu a[lang=ko]").click()
                try await browser.wait(forURL: url + "/chooser-nine?ui_locales=ko")
                #expect(try await browser.element("html[lang=ko]").isShown)
                try await browser.open(url + "/account")
                #expect(try await browser.element("time").text.hasSuffix("UTC"))
                try await browser.open(url + "/console-home")
                #expect(try await browser.element("details.figures table").isShown == false)
                try await browser.element("details.figures summary").click()
                #expect(try await browser.element("details.figures table").isShown)
            }
        }
    }

    /// The text of axe-core, from the Python package that has it.
    private static func axe() async throws -> String {
        let program = "import axe_playwright_python as package; print(package.__path__[0])"
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-c", #"exec "$0" "$@""#, try TestPython.path(), "-c", program], input: .none,
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        let folder = try #require(result.standardOutput).trimmingCharacters(in: .whitespacesAndNewlines)
        return try String(contentsOfFile: folder + "/axe.min.js", encoding: .utf8)
    }
}
