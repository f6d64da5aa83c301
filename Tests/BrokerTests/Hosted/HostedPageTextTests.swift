import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("texts of the hosted pages")
struct HostedPageTextTests {
    private static let languages = PageLanguages.embedded.all

    /// The texts of a document by their place; a text with forms for several numbers is one.
    private static func texts(of value: JSONValue, at place: String = "") -> [String: [String]] {
        guard let object = value.object else { return [place: [value.string ?? ""]] }
        if object["other"]?.string != nil || object["many"]?.string != nil {
            return [place: object.map { $0.value.string ?? "" }]
        }
        return object.reduce(into: [:]) { texts, member in
            let name = place.isEmpty ? member.name : "\(place).\(member.name)"
            texts.merge(Self.texts(of: member.value, at: name)) { first, _ in first }
        }
    }

    /// What must not be asked of a text: it is the same in several languages.
    private static func isNeutral(_ place: String) -> Bool { place.hasPrefix("dates.") }

    @Test(arguments: languages)
    func `are complete in each language, in its own script`(language: PageLanguage) throws {
        let english = Self.texts(of: PageLanguage.english.document)
        let texts = Self.texts(of: language.document)

        #expect(texts.count > 200 && texts.keys.sorted() == english.keys.sorted())
        for (place, forms) in texts {
            #expect(forms.allSatisfy { !$0.isEmpty }, "\(place)")
            guard !Self.isNeutral(place) else { continue }
            #expect(language == .english || forms != english[place], "\(place) is English")
            #expect(forms.allSatisfy { $0.unicodeScalars.contains(where: language.hasInScript) }, "\(place)")
        }
    }

    @Test(arguments: languages)
    func `have the same places for values in each language`(language: PageLanguage) throws {
        try PageLanguage.checkPlaces(of: language.document, as: PageLanguage.english.document)
    }

    @Test func `have no Korean particle that depends on a name's last sound`() throws {
        for (place, forms) in Self.texts(of: PageLanguage.korean.document) {
            let particle = /\}(은|는|이|가|을|를|과|와|로|으로|랑|이랑)(?![가-힣])/
            #expect(forms.allSatisfy { $0.firstMatch(of: particle) == nil }, "\(place)")
        }
    }

    @Test func `put a value in once and look for no place in it`() {
        #expect(Phrase("Sign in to {app} now")("{app}{app}") == "Sign in to {app}{app} now")
        #expect(Phrase("{{app}} {{{app}}} { {} {app}")("A") == "{{app}} {{{app}}} { {} A")
        #expect(Phrase("{provider} ends {site}")(site: "{provider}", provider: "B") == "B ends {provider}")
    }

    @Test(arguments: [
        (nil, nil, PageLanguage.english), (nil, "ko", .korean), (nil, "ko-KR,ko;q=0.9,en;q=0.8", .korean),
        (nil, "en-US,en;q=0.9,ko;q=0.8", .english), (nil, "fr, ko;q=0.3, en;q=0.2", .korean),
        (nil, "en;q=0.2, ko;q=0.9", .korean), (nil, "ko;q=0, en;q=0.1", .english), (nil, "ko;q=0", .english),
        (nil, "de,*;q=0.5", .english), (nil, "KO-kr", .korean), (nil, "korean", .english), (nil, "ko;q=nan", .english),
        (nil, "ko;q=2", .english), (nil, ";;,,;q=", .english), ("ko", "en", .korean), ("en ko", "ko", .english),
        ("fr ko-KR en", "en", .korean), ("fr", "ko", .korean), ("", "ko", .korean),
    ])
    func `follow ui_locales, then the browser`(locales: String?, accept: String?, expected: PageLanguage) {
        #expect(PageLanguages.embedded.language(uiLocales: locales, acceptLanguage: accept) == expected)
    }

    @Test func `write a moment in the format of the language`() {
        let date = Date(timeIntervalSince1970: 1_790_000_000)

        #expect(PageDate(date, .english).text == "21 September 2026, 14:13 UTC")
        #expect(PageDate(date, .korean).text == "2026년 9월 21일 14:13 UTC")
        #expect(PageDate(date, .korean).machine == "2026-09-21T14:13:00Z")
        #expect(PageDate(day: date, .english).text == "21 September 2026")
        #expect(PageDate(day: date, .korean).text == "2026년 9월 21일")
        let (japanese, arabic) = (PageLanguages.embedded.all[2], PageLanguages.embedded.all[3])
        #expect(PageDate(date, japanese).text == "2026年9月21日 14:13 UTC")
        let plain = PageDate(date, arabic).text.unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) }
        #expect(String(String.UnicodeScalarView(plain)) == "21 سبتمبر 2026، 14:13 UTC")
    }

    @Test func `isolate a value whose direction may differ, which cannot end its isolate`() {
        let arabic = PageGrammar(tag: "ar")

        #expect(Phrase("Hello {person}!", PageGrammar(tag: "en"))(person: "Ann") == "Hello Ann!")
        #expect(Phrase("Hello {person}!", PageGrammar(tag: "en"))(person: "ليلى") == "Hello \u{2068}ليلى\u{2069}!")
        #expect(Phrase("{app} لا", arabic)(app: "A\u{2069}\u{202E}B") == "\u{2068}A\u{202E}B\u{2069} لا")
        #expect(PageEscaping().escapeText("\u{2068}A\u{202E}B\u{2069}") == "\u{2068}AB\u{2069}")
    }

    @Test func `write a number in the digits of the language`() {
        let numbers = ["ar", "bn", "fa", "ko"].map { PageGrammar(tag: $0)?.digits(of: "14:05") }

        #expect(numbers == ["14:05", "১৪:০৫", "۱۴:۰۵", "14:05"])
    }

    @Test func `choose the form of a number by the plural rules of the language`() throws {
        let samples: [(String, [Int: PluralCategory])] = [
            ("en", [0: .other, 1: .one, 2: .other]), ("ko", [1: .other]), ("fr", [0: .one, 1: .one, 2: .other]),
            ("he", [1: .one, 2: .two, 3: .other]), ("cs", [1: .one, 4: .few, 5: .other]),
            ("pl", [1: .one, 3: .few, 12: .many, 22: .few, 21: .many]),
            ("ru", [1: .one, 11: .many, 21: .one, 3: .few, 13: .many]),
            ("ar", [0: .zero, 1: .one, 2: .two, 3: .few, 10: .few, 11: .many, 99: .many, 100: .other, 103: .few]),
        ]
        for (tag, numbers) in samples {
            let grammar = try #require(PageGrammar(tag: tag))
            for (number, category) in numbers {
                #expect(grammar.plural.category(of: number) == category, "\(tag) \(number)")
                #expect(grammar.plural.categories.contains(category))
            }
        }
    }
}

extension PageLanguage {
    /// Korean with the program's own texts.
    static let korean = PageLanguages.embedded.all[1]

    /// Whether a scalar is of the language's script.
    fileprivate func hasInScript(_ scalar: Unicode.Scalar) -> Bool {
        switch tag {
        case "ko": (0xAC00...0xD7A3).contains(scalar.value)
        case "ja": (0x3040...0x30FF).contains(scalar.value) || (0x4E00...0x9FFF).contains(scalar.value)
        case "ar": (0x0621...0x064A).contains(scalar.value)
        default: scalar.isASCII && scalar.properties.isAlphabetic
        }
    }
}
