import ProviderKit

/// A language of the hosted pages, with all that they say in it.
final class PageLanguage: Sendable {
    /// The primary subtag of the language (BCP 47), such as `ko`.
    let tag: String
    let grammar: PageGrammar
    let texts: PageTexts
    /// The texts with all their places.
    let document: JSONValue

    /// Decodes the texts of a language; a text that is missing or unknown is refused.
    ///
    /// - Parameters:
    ///   - tag: The primary subtag.
    ///   - grammar: The rules of the language.
    ///   - document: The texts, by the names of ``PageTexts``.
    ///   - site: The name that fills the place `{site}` of every text.
    /// - Throws: `JSONDecodingError` with the place of the text.
    init(_ tag: String, _ grammar: PageGrammar, document: JSONValue, site: String) throws(JSONDecodingError) {
        self.tag = tag
        self.grammar = grammar
        self.document = document
        texts = try JSONValueDecoder(unknownNames: .refused, userInfo: [PageGrammar.key: grammar])
            .decode(PageTexts.self, from: Self.filled(document, with: grammar.isolated(site)))
    }

    /// An address with this language in the place of any other.
    static func address(_ target: String, in language: PageLanguage) -> String {
        let split = target.firstIndex(of: "?") ?? target.endIndex
        let pairs = (FormEncoding.decode(target[split...].dropFirst().utf8) ?? []).filter { $0.name != "ui_locales" }
        return target[..<split] + "?" + FormEncoding.encode(pairs + [("ui_locales", language.tag)])
    }

    private static func filled(_ value: JSONValue, with site: String) -> JSONValue {
        switch value {
        case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
            .string(text.replacing("{site}", with: site))
        case .object(let object): .object(JSONObject(object.map { ($0.name, filled($0.value, with: site)) }))
        default: value
        }
    }
}

extension PageLanguage: Equatable {
    static func == (left: PageLanguage, right: PageLanguage) -> Bool { left.tag == right.tag }
}

extension PageLanguage {
    /// English with the program's own texts.
    static let english = PageLanguages.embedded.all[0]

    /// The texts of the program by language, English first.
    static let embedded: [(tag: String, grammar: PageGrammar, document: JSONValue)] =
        [("en", englishTexts), ("ko", koreanTexts), ("ja", japaneseTexts), ("ar", arabicTexts)].map { tag, text in
            guard let grammar = PageGrammar(tag: tag), let document = try? JSONValue(parsing: Array(text.utf8)) else {
                preconditionFailure("texts of \(tag)")
            }
            return (tag, grammar, document)
        }
}

extension PageLanguage {
    /// Compares texts with the English ones, each of which they have: a place must not be missing, and not be another.
    ///
    /// - Throws: `JSONDecodingError` that names the text.
    static func checkPlaces(
        of value: JSONValue, as english: JSONValue, at path: String = ""
    ) throws(JSONDecodingError) {
        guard let object = value.object else {
            return try checkPlaces(of: value.string ?? "", as: english.string ?? "", at: path)
        }
        let general = english[PluralCategory.other.rawValue]
        for member in object {
            let place = "\(path)/\(member.name)"
            if let general = general?.string, let category = PluralCategory(rawValue: member.name) {
                // None, one and two are said without a digit in some languages.
                let saysNumber = ![.zero, .one, .two].contains(category)
                try checkPlaces(
                    of: member.value.string ?? "", as: general, at: place, optional: saysNumber ? [] : ["count"])
            } else if let counterpart = english[member.name] {
                try checkPlaces(of: member.value, as: counterpart, at: place)
            }
        }
    }

    private static func checkPlaces(
        of text: String, as english: String, at path: String, optional: Set<String> = []
    ) throws(JSONDecodingError) {
        guard !text.isEmpty else { throw JSONDecodingError(path: path, kind: .invalid(reason: "is empty")) }
        let (places, expected) = (Phrase(text).places.subtracting(["site"]), Phrase(english).places)
        if let missing = expected.subtracting(places).subtracting(optional).subtracting(["site"]).min() {
            throw JSONDecodingError(path: path, kind: .invalid(reason: "has no {\(missing)}"))
        }
        if let unknown = places.subtracting(expected).min() {
            throw JSONDecodingError(path: path, kind: .invalid(reason: "has {\(unknown)}, which nothing fills"))
        }
    }
}
