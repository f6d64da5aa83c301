import Foundation
import Testing

@testable import Broker

@Suite("hosted pages in English and Korean")
struct HostedPageTextTests {
    /// Every catalogue: what it says in each language, by the name of the text.
    private static let texts: [(name: String, english: String, korean: String)] =
        pairs(AccountText.self) + pairs(ChooserText.self) + pairs(ClosingText.self) + pairs(ConfirmText.self)
        + pairs(ConsentText.self) + pairs(DeviceText.self) + pairs(ErrorFrameText.self) + pairs(ErrorTexts.self)
        + pairs(LanguageText.self)

    private static func pairs<Text: PageText>(_: Text.Type) -> [(String, String, String)] {
        zip(leaves(Text.english, "\(Text.self)"), leaves(Text.korean, "\(Text.self)")).map { ($0.0, $0.1, $1.1) }
    }

    private static func leaves(_ value: Any, _ name: String) -> [(String, String)] {
        if let text = value as? String { return [(name, text)] }
        if let phrase = value as? Phrase { return [(name, phrase.pattern)] }
        return Mirror(reflecting: value).children.flatMap { leaves($0.value, "\(name).\($0.label ?? "?")") }
    }

    @Test func `say everything in both languages`() {
        #expect(Self.texts.count > 120)
        for text in Self.texts {
            #expect(!text.english.isEmpty && text.english != text.korean, "\(text.name)")
            #expect(text.english.unicodeScalars.allSatisfy { $0.value < 0x1100 || "“”…".unicodeScalars.contains($0) })
            #expect(text.korean.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }, "\(text.name)")
        }
    }

    @Test func `keep a name's place, and no particle that depends on its last sound`() {
        for text in Self.texts {
            let places = [text.english, text.korean].map { $0.matches(of: /\{\}/).count }
            #expect(places.allSatisfy { $0 <= 1 }, "\(text.name)")
            #expect(text.korean.firstMatch(of: /\{\}(은|는|이|가|을|를|과|와|로|으로|랑|이랑)(?![가-힣])/) == nil, "\(text.name)")
        }
    }

    @Test func `put a name in once and look for no place in it`() {
        let phrase: Phrase = "Sign in to {} now"

        #expect(phrase("{}{}") == "Sign in to {}{} now")
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
        #expect(PageLanguage(uiLocales: locales, acceptLanguage: accept) == expected)
    }

    @Test func `write a moment in the format of the language`() {
        let date = Date(timeIntervalSince1970: 1_790_000_000)

        #expect(PageDate(date, .english).text == "21 Sep 2026, 14:13 UTC")
        #expect(PageDate(date, .korean).text == "2026년 9월 21일 14:13 UTC")
        #expect(PageDate(date, .korean).machine == "2026-09-21T14:13:00Z")
        #expect(PageDate(day: date, .english).text == "21 Sep 2026")
        #expect(PageDate(day: date, .korean).text == "2026년 9월 21일")
    }
}
