import Broker
import Foundation
import ProviderKit
import Testing

@testable import BrokerCommand

@Suite("Text for a terminal")
struct TerminalTextTests {
    @Test(arguments: [
        ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("a\rb", "a\\u{d}b"), ("a\nb", "a\\u{a}b"), ("a\u{9B}b", "a\\u{9b}b"),
        ("a\u{7F}b", "a\\u{7f}b"), ("a\u{202E}b", "a\\u{202e}b"), ("a\u{2066}b", "a\\u{2066}b"),
        ("a\u{200B}b", "a\\u{200b}b"), ("a\u{2028}b", "a\\u{2028}b"), ("a\r\nb", "a\\u{d}\\u{a}b"),
        ("a\u{E0041}b", "a\\u{e0041}b"), ("가나 é €", "가나 é €"), ("", ""),
    ])
    func `a value is shown as it is, but for what a terminal does not show`(value: String, shown: String) {
        #expect(TerminalText("<\(value)>\n").description == "<\(shown)>\n")
        #expect(TerminalText(escaping: value).description == shown)
        #expect(TerminalText(names: [nil, value, nil]).description == (value.isEmpty ? "unnamed" : shown))
    }

    @Test func `text that was put together already is not escaped twice`() {
        let inner: TerminalText = "user \("a\nb")\n"

        #expect(TerminalText("1 \(inner)2").description == "1 user a\\u{a}b\n2")
        #expect([inner, "x"].joined(separator: "-").description == "user a\\u{a}b\n-x")
    }

    @Test(arguments: [false, true])
    func `a document stays the same document, in ASCII where it matters`(indented: Bool) throws {
        let document: JSONValue = ["na\u{202E}me": ["a\u{9B}31m\u{7F}\u{2028}\u{E0041}", "가\n\"\\", ["b": 1]]]
        let text = TerminalText(json: document, indented: indented).description

        #expect(try JSONValue(parsing: text) == document)
        #expect(text.contains(#"na\u202eme"#) && text.contains(#"\u009b31m\u007f\u2028\udb40\udc41"#), "\(text)")
        #expect(text.contains("\n") == indented)
        #expect(TerminalText(serializedJSON: "{\"a\":\"\u{202E}\"}").description == #"{"a":"\u202e"}"#)
    }
}

@Suite("Tables")
struct TableTests {
    private struct Person {
        var id = "0123456789"
        var name = ""
        var state = ""
    }

    private static var table: Table<Person> {
        Table(
            Table.Column("ID") { $0.id }, Table.Column("NAME", mayBeCut: true) { $0.name },
            Table.Column("STATE") { $0.state })
    }

    private static func lines(_ people: [Person], width: Int?) -> [String] {
        table.text(people, width: width).description.components(separatedBy: "\n")
    }

    @Test func `columns stand below their titles, and without a terminal nothing is cut`() {
        let lines = Self.lines([Person(name: String(repeating: "n", count: 100), state: "off"), Person()], width: nil)

        #expect(lines[0] == "ID          NAME" + String(repeating: " ", count: 98) + "STATE")
        #expect(lines[1].hasSuffix("n  off") && lines[2] == "0123456789", "\(lines)")
    }

    @Test func `a column that is empty everywhere is left out`() {
        #expect(Self.lines([Person(name: "Ada")], width: nil) == ["ID          NAME", "0123456789  Ada"])
    }

    @Test func `names are cut to the terminal, identifiers never, and wide characters count twice`() {
        let people = [Person(name: "Ada Augusta of Example"), Person(name: "가나다라마바사아자차")]
        let lines = Self.lines(people, width: 24)

        #expect(lines == ["ID          NAME", "0123456789  Ada Augusta…", "0123456789  가나다라마…"])
        #expect(lines.allSatisfy { TerminalWidth.of($0) <= 24 })
    }

    @Test func `where a row does not fit even so, each record is a block`() {
        let lines = Self.lines([Person(name: "Ada Augusta", state: "off"), Person(name: "Ben")], width: 20)

        let blocks = ["ID     0123456789", "NAME   Ada Augusta", "STATE  off", "", "ID     0123456789", "NAME   Ben"]
        #expect(lines == blocks)
    }

    @Test func `no value makes a row of its own`() {
        let lines = Self.lines([Person(name: "Ada\n9999999999  Admin\u{1B}[2J")], width: nil)

        #expect(lines == ["ID          NAME", #"0123456789  Ada\u{a}9999999999  Admin\u{1b}[2J"#])
    }
}
