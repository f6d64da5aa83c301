import StoreSchema
import Testing

@testable import BrokerStore

@Suite("The words of texts")
struct SearchWordsTests {
    @Test(arguments: [
        ("Ada Lovelace", ["ada", "lovelace"]),
        ("ada ADA Adams", ["adams"]),
        ("Anne-Marie O’Neil", ["anne-marie", "marie", "o'neil", "neil"]),
        ("Zoë Łukasz Søren", ["zoe", "lukasz", "soren"]),
        ("Straße ΣΊΣΥΦΟΣ İstanbul", ["strasse", "σισυφοσ", "istanbul"]),
        ("Ａｄａ ﬁne", ["ada", "fine"]),
        ("Джон Ёлкин", ["джон", "елкин"]),
        ("北京", ["北京"]),
        ("\u{1F98A}", ["\u{1F98A}"]),
        ("a\u{0}b\u{200D}c", ["abc"]),
        (" \n\t ", []),
    ])
    func `of a name begin with a letter or a digit, without case and accents`(name: String, words: [String]) {
        #expect(SearchWords.words(of: [(.name, name)]) == Set(words))
    }

    @Test func `of an address are the address, its words before the at sign, and its domain`() {
        #expect(
            SearchWords.words(of: [(.address, "Ada.Lovelace+shop@mail.Example.com")]) == [
                "ada.lovelace+shop@mail.example.com", "lovelace+shop@mail.example.com", "shop@mail.example.com",
                "mail.example.com",
            ])
    }

    @Test func `of an id are the id as a whole`() {
        #expect(SearchWords.words(of: [(.identifier, "001234.AbC.0987")]) == ["001234.abc.0987"])
    }

    @Test func `leave out what another word begins with`() {
        let words = SearchWords.words(of: [
            (.name, "Ada Lovelace"), (.address, "ada.lovelace@example.com"), (.identifier, "ada"),
        ])

        #expect(words == ["ada.lovelace@example.com", "lovelace@example.com", "example.com"])
    }

    @Test func `are few and short, however long a text is`() {
        let many = SearchWords.words(of: [(.name, (0..<200).map { "w\($0)" }.joined(separator: " "))])
        let long = SearchWords.words(of: [(.name, String(repeating: "x", count: 1000))])

        #expect(many.count == 8)
        #expect(long == [String(repeating: "x", count: 64)])
        #expect(SearchWords.typed(String(repeating: "X", count: 1000)) == Array(long))
    }

    @Test(arguments: [
        ("  Ada  LOV ", ["ada", "lov"]),
        ("@example.com", ["example.com"]),
        ("(O’N", ["o'n"]),
        ("--", ["--"]),
        ("", []),
    ])
    func `that are typed are folded as those that are stored`(text: String, words: [String]) {
        #expect(SearchWords.typed(text) == words)
    }
}
