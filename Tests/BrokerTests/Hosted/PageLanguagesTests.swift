import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("an operator's own texts of the pages")
struct PageLanguagesTests {
    @Test func `change some texts of a language, and add a language that has all`() async throws {
        try await TextFolder.with(["ko": ["chooser": ["title": "어서 오세요"]], "de": German.texts]) { folder in
            let languages = try PageLanguages(site: "Fernwick", folder: folder.path)

            #expect(languages.all.map(\.tag) == ["en", "ko", "ja", "ar", "de"])
            let korean = try #require(languages.language(tagged: "ko-KR"))
            #expect(korean.texts.chooser.title == "어서 오세요" && korean.texts.chooser.back == "돌아가기")
            let german = languages.language(uiLocales: nil, acceptLanguage: "de-AT, en;q=0.5")
            #expect(german.tag == "de" && german.texts.chooser.titleForApp(app: "Notebook") == "DE Sign in to Notebook")
            #expect(PageLanguages.embedded.language(tagged: "ko")?.texts.chooser.title == "로그인")
        }
    }

    @Test func `name the site in every language`() {
        for language in PageLanguages(site: "Fernwick").all {
            #expect(language.texts.errors.unavailable.headline().contains("Fernwick"))
            #expect(!PageLanguagesTests.leaves(language.texts.chooser).contains { $0.contains("{site}") })
        }
    }

    @Test(
        arguments: [
            (
                "en", ["chooser": ["titel": "x"]],
                "en.json at /chooser/titel: is no name this file knows. Did you mean \"title\"?"
            ),
            ("en", ["choser": [:]], "en.json at /choser: is no name this file knows. Did you mean \"chooser\"?"),
            ("ko", ["chooser": ["titleForApp": "로그인"]], "ko.json at /chooser/titleForApp: has no {app}."),
            ("ja", ["chooser": ["title": "{app}"]], "ja.json at /chooser/title: has {app}, which nothing fills."),
            (
                "ar", ["account": ["furtherDevices": ["few": "x"]]],
                "ar.json at /account/furtherDevices/few: has no {count}."
            ),
            (
                "en", ["account": ["furtherDevices": ["few": "{count}"]]],
                "en.json at /account/furtherDevices/few: is no name"
            ),
            ("en", ["chooser": ["title": ""]], "en.json at /chooser/title: is empty."),
            ("en", ["chooser": ["title": 1]], "en.json at /chooser/title: must be string, not integer."),
            ("en", ["chooser": "x"], "en.json at /chooser: must be object, not string."),
            ("en", [], "en.json: must be an object of texts."),
            ("fr", ["chooser": [:]], "fr.json at /language: is missing."),
            ("tlh", [:], "tlh.json: is named after no language whose plural rules are known."),
        ] as [(String, JSONValue, String)])
    func `are refused with the name of the text`(tag: String, texts: JSONValue, error: String) async throws {
        try await TextFolder.with([tag: texts]) { folder in
            let refusal = #expect(throws: ConfigurationError.self) {
                try PageLanguages(site: "Fernwick", folder: folder.path)
            }
            #expect(refusal?.description.contains(error) == true, "\(refusal?.description ?? "")")
        }
    }

    @Test func `are refused where their folder is none`() throws {
        let refusal = #expect(throws: ConfigurationError.self) {
            try PageLanguages(site: "Fernwick", folder: "/nowhere/texts")
        }
        #expect(refusal?.description.contains("/nowhere/texts: is no folder.") == true)
    }

    @Test func `are followed once a change is complete, and kept when it is refused`() async throws {
        try await TextFolder.with(["en": ["chooser": ["title": "Welcome"]]]) { folder in
            let languages = try PageLanguages(site: "Fernwick", folder: folder.path)
            func title() -> String { languages.all[0].texts.chooser.title }
            #expect(languages.reload() == nil && title() == "Welcome")

            try folder.write(["chooser": ["title": "Good day, and welcome"]], for: "en")
            #expect(languages.reload() == nil && title() == "Welcome")
            #expect(languages.reload() == .adopted && title() == "Good day, and welcome")
            #expect(languages.reload() == nil)

            try folder.write(["chooser": ["titel": "x"]], for: "en")
            #expect(languages.reload() == nil)
            guard case .refused(let error) = languages.reload() else {
                Issue.record("adopted")
                return
            }
            #expect(error.path == "/chooser/titel" && title() == "Good day, and welcome")
            #expect(languages.reload() == nil)

            try folder.remove("en")
            #expect(languages.reload() == nil)
            #expect(languages.reload() == .adopted && title() == "Sign in")
        }
    }

    /// Every text of a language as markup and as a template.
    private static let hostile = "<script>alert(1)</script>{{title}}{{{style}}}{{> form}}\"'`"

    @Test(arguments: ["en", "ar"])
    func `are text in every place of every page`(tag: String) async throws {
        func languages(_ text: String) async throws -> PageLanguage {
            let documents = PageLanguage.embedded.filter { $0.tag == tag }.map { Self.replaced($0.document, by: text) }
            return try await TextFolder.with([tag: documents[0]]) { folder in
                try #require(try PageLanguages(site: "Fernwick", folder: folder.path).language(tagged: tag))
            }
        }
        let plain = try await languages("plain")
        let hostile = try await languages(Self.hostile)
        let renderer = PageRenderer(publicURL: "https://id.example", brand: PageBrand(name: "Fernwick"))

        for (name, page) in HostedPageSamples().all {
            let html = renderer.html(page, language: hostile, nonce: "N0nce")
            let expected = try PageMarkup(renderer.html(page, language: plain, nonce: "N0nce"))
            let markup = try PageMarkup(html)
            #expect(markup.structure == expected.structure, "\(name)")
            #expect(markup["h1"].first?.text.contains(Self.hostile) == true, "\(name)")
        }
        #expect(
            hostile.texts.handler.html.contains("&lt;script&gt;") && !hostile.texts.handler.html.contains("<script"))
    }

    /// A text that is read at no place is one that translators write for nothing.
    @Test func `have no text that no page uses`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/Broker/Hosted")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" && !$0.path.contains("/Texts/") }
        let code = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")

        let names = Self.names(PageLanguage.english.texts).filter { !["diagnoses", "months"].contains($0.group) }
        #expect(names.count > 150)
        for (group, name) in names {
            let use = try Regex("\\b(\\w*[tT]exts?|frame|dates|language|\(group))\\??\\.\(name)\\b")
                .wordBoundaryKind(.simple)
            // Or the type of the texts itself.
            let own = try Regex("(\\\\\\(|case \\.\(name): )\(name)\\b").wordBoundaryKind(.simple)
            #expect(code.contains(use) || code.contains(own), "\(group).\(name)")
        }
    }

    /// The members that hold texts, with the member that holds them.
    private static func names(_ value: Any, in group: String = "") -> [(group: String, name: String)] {
        Mirror(reflecting: value).children.flatMap { child -> [(group: String, name: String)] in
            guard let name = child.label else { return [] }
            switch child.value {
            case is String, is Phrase, is PluralPhrase: return [(group, name)]
            case is ErrorText: return [(group, name)]
            default: return names(child.value, in: name)
            }
        }
    }

    private static func leaves(_ value: Any) -> [String] {
        if let text = value as? String { return [text] }
        return Mirror(reflecting: value).children.flatMap { leaves($0.value) }
    }

    /// The document with `text` and its own places in each text.
    private static func replaced(_ value: JSONValue, by text: String) -> JSONValue {
        guard let object = value.object else {
            let places = Phrase(value.string ?? "").places.subtracting(["site"]).sorted().map { "{\($0)}" }
            return .string(([text] + places).joined(separator: " "))
        }
        return .object(JSONObject(object.map { ($0.name, replaced($0.value, by: text)) }))
    }
}

/// A language that the program does not have: the English texts, each with a mark.
private enum German {
    static let texts = marked(PageLanguage.english.document)

    private static func marked(_ value: JSONValue) -> JSONValue {
        guard let object = value.object else { return .string("DE \(value.string ?? "")") }
        return .object(JSONObject(object.map { ($0.name, marked($0.value)) }))
    }
}

/// A folder of texts for the time of a test.
private struct TextFolder {
    let path: String

    static func with<Value>(
        _ files: [String: JSONValue], _ body: (TextFolder) async throws -> Value
    ) async throws -> Value {
        let folder = TextFolder(
            path: FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)").path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        for (tag, texts) in files { try folder.write(texts, for: tag) }
        return try await body(folder)
    }

    func write(_ texts: JSONValue, for tag: String) throws {
        try texts.serialized().write(toFile: "\(path)/\(tag).json", atomically: true, encoding: .utf8)
    }

    func remove(_ tag: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(tag).json") }
}
