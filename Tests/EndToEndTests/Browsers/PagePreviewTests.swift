import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import Subprocess
import Testing

/// All hosted pages, as `broker pages preview` serves them, in a real browser.
@Suite("The preview of the hosted pages", .oneEngine("pages without a store"), .timeLimit(.minutes(20)))
struct PagePreviewTests {
    /// Serves the pages and lends their address and names to `body`.
    private static func run<Value>(_ body: (_ url: String, _ names: [String]) async throws -> Value) async throws
        -> Value
    {
        let folder = try TestFolder()
        return try await BrokerProcess.run(["pages", "preview", "--json"], in: folder) { preview in
            let line = try #require(await preview.output.firstLine(), "\(preview.log.text)")
            let document = try JSONValue(parsing: line)
            return try await body(
                try #require(document["url"]?.string), try #require(document["pages"]?.array).compactMap(\.string))
        }
    }

    /// In English light and dark alternate with the size of the device; the other languages are shown once.
    private static let settings: [BrowserOptions] = [
        .init(size: .desktop, colorScheme: .light), .init(size: .phone, colorScheme: .dark),
        .init(size: .phone, language: "ko", colorScheme: .light),
        .init(size: .desktop, language: "ko", colorScheme: .dark),
    ]

    @Test(arguments: settings)
    func `no page has a finding of axe-core or scrolls sideways`(options: BrowserOptions) async throws {
        let axe = try await Self.axe()

        try await Self.run { url, names in
            #expect(names.count > 70)
            try await Browser.run(options) { browser in
                for name in names {
                    try await browser.open("\(url)/\(name)")
                    let found = try await browser.script(axe + Self.check)
                    #expect(found.array == [], "\(name): \(found.serialized())")
                    let isWide = try await browser.script(
                        "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
                    #expect(isWide == false, "\(name)")
                    try await browser.screenshot("page-\(name)")
                }
            }
        }
    }

    /// The rules that a page breaks, each with the elements that do.
    private static let check = """

        ;return axe.run(document, { resultTypes: ["violations"] }).then(function (result) {
          return result.violations.map(function (rule) {
            return rule.id + ": " + rule.nodes.map(function (node) { return node.html }).join(" ")
          })
        })
        """

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
        try await Self.run { url, _ in
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
