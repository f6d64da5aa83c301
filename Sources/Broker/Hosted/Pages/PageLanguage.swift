import ProviderKit

/// A language of the hosted pages, with all that they say in it.
final class PageLanguage: Sendable {
    /// The primary subtag of the language (BCP 47), such as `ko`.
    let tag: String
    let grammar: PageGrammar
    let texts: PageTexts
    /// The texts as they were decoded.
    let document: JSONValue

    /// Decodes the texts of a language; a text that is missing or unknown is refused.
    ///
    /// - Parameters:
    ///   - tag: The primary subtag.
    ///   - grammar: The rules of the language.
    ///   - document: The texts, by the names of ``PageTexts``.
    /// - Throws: `JSONDecodingError` with the place of the text.
    init(_ tag: String, _ grammar: PageGrammar, document: JSONValue) throws(JSONDecodingError) {
        self.tag = tag
        self.grammar = grammar
        self.document = document
        texts = try JSONValueDecoder(unknownNames: .refused, userInfo: [PageGrammar.key: grammar])
            .decode(PageTexts.self, from: document)
    }

    /// An address with this language in the place of any other.
    static func address(_ target: String, in language: PageLanguage) -> String {
        let split = target.firstIndex(of: "?") ?? target.endIndex
        let pairs = (FormEncoding.decode(target[split...].dropFirst().utf8) ?? []).filter { $0.name != "ui_locales" }
        return target[..<split] + "?" + FormEncoding.encode(pairs + [("ui_locales", language.tag)])
    }
}

extension PageLanguage: Equatable {
    static func == (left: PageLanguage, right: PageLanguage) -> Bool { left.tag == right.tag }
}

/// The languages that the pages speak.
final class PageLanguages: Sendable {
    /// English first.
    let all: [PageLanguage]

    init(_ all: [PageLanguage]) { self.all = all }

    /// The language of a tag, by its primary subtag: `ko-KR` is Korean.
    func language(tagged tag: some StringProtocol) -> PageLanguage? {
        let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        let wanted = String(decoding: primary, as: UTF8.self).lowercased()
        return all.first { $0.tag == wanted }
    }

    /// The language a request asks for: the first known one of `ui_locales` (OpenID Connect Core §3.1.2.1, separated by
    /// spaces), else the one `Accept-Language` prefers (RFC 9110 §12.5.4), else English.
    func language(uiLocales: String?, acceptLanguage: String?) -> PageLanguage {
        first(of: uiLocales) ?? preferred(of: acceptLanguage) ?? all[0]
    }

    /// The first known one of `ui_locales`.
    func first(of uiLocales: String?) -> PageLanguage? {
        uiLocales?.split(separator: " ").prefix(Self.longestList).lazy.compactMap { self.language(tagged: $0) }.first
    }

    private func preferred(of acceptLanguage: String?) -> PageLanguage? {
        let wishes = acceptLanguage?.split(separator: ",").prefix(Self.longestList).compactMap(wish) ?? []
        // A stable choice: of two equal weights the one that stands first.
        return wishes.reduce(nil as Wish?) { best, wish in (best?.weight ?? 0) >= wish.weight ? best : wish }?.language
    }

    /// More entries than a browser sends; the rest of a longer list is not read.
    private static let longestList = 20

    /// One known language of an `Accept-Language` field, with its weight in thousandths.
    private typealias Wish = (language: PageLanguage, weight: Int)

    private func wish(_ range: Substring) -> Wish? {
        let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard let tag = parts.first, let named = tag == "*" ? all[0] : language(tagged: tag) else { return nil }
        guard let quality = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
            return (named, 1000)
        }
        guard let value = Double(quality.dropFirst(2)), (0...1).contains(value) else { return nil }
        return (named, Int(value * 1000))
    }
}

extension PageLanguages {
    /// Those of the program, with its own texts.
    static let embedded = PageLanguages([.english, .korean])
}

extension PageLanguage {
    static let english = embedded("en", englishTexts)
    static let korean = embedded("ko", koreanTexts)

    private static func embedded(_ tag: String, _ text: String) -> PageLanguage {
        do {
            guard let grammar = PageGrammar(tag: tag) else { preconditionFailure("no grammar of \(tag)") }
            return try PageLanguage(tag, grammar, document: JSONValue(parsing: Array(text.utf8)))
        } catch {
            // They are part of the program, and a test decodes them.
            preconditionFailure("texts of \(tag): \(error)")
        }
    }
}
