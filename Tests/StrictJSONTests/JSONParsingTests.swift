import StrictJSON
import Testing

@Suite("JSON is read by the letter of RFC 8259")
struct JSONParsingTests {
    static let accepted: [(String, JSONValue)] = [
        ("null", nil), ("true", true), ("false", false), (" \t\r\n null \t\r\n ", nil),
        ("0", 0), ("-0", .integer(0).negated), ("-12", -12), ("9223372036854775807", 9_223_372_036_854_775_807),
        (#""""#, ""), (#""a/b""#, "a/b"), (#""a\/b""#, "a/b"), (#""\"\\\b\f\n\r\t""#, "\"\\\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\uD83D\uDE00""#, "😀"), ("\"\u{7F}\"", "\u{7F}"),
        ("\"\u{2028}\u{FEFF}\"", "\u{2028}\u{FEFF}"), (#""\uFFFF""#, "\u{FFFF}"),
        ("[]", []), ("[ ]", []), ("[1,[2,[]],{}]", [1, [2, []], [:]]),
        ("{}", [:]), ("{ }", [:]), (#"{"":0}"#, ["": 0]), (#"{ "a" : 1 , "b" : [ ] }"#, ["a": 1, "b": []]),
        (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]), (#"{"\u0061":1}"#, ["a": 1]),
    ]

    @Test(arguments: accepted)
    func `a valid document is read as what it says`(text: String, value: JSONValue) throws {
        let parsed = try JSONValue(parsing: text)

        #expect(parsed == value)
    }

    /// The parser looks through long strings many bytes at once.
    @Test(arguments: ["\"", "\\n", "\\u00e9", "\u{1F600}", "\u{1F}", "\u{7F}"])
    func `what has to be looked at in a string is found at each place of it`(text: String) throws {
        for length in [1, 31, 32, 33, 63, 64, 65, 100] {
            for place in 0..<length {
                let (before, after) = (
                    String(repeating: "a", count: place), String(repeating: "b", count: length - place)
                )
                let document = "\"\(before)\(text)\(after)\""
                switch text {
                case "\"", "\u{1F}": #expect(throws: JSONParseError.self) { try JSONValue(parsing: document) }
                case "\\n": #expect(try JSONValue(parsing: document) == .string(before + "\n" + after))
                case "\\u00e9": #expect(try JSONValue(parsing: document) == .string(before + "é" + after))
                default: #expect(try JSONValue(parsing: document) == .string(before + text + after))
                }
            }
        }
    }

    static let malformed = [
        "", " ", "\u{FEFF}null", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "a",
        "null null", "[1] x", "{}}", "[]]", "1,", ",1",
        "+1", "01", "-01", "00", "-", ".5", "1.", "1.e1", "-.5", "1e", "1e+", "1E-", "0x10", "1_000", "1 2", "１",
        "\"", "\"a", #""\"#, #""\x""#, #""\u""#, #""\u12""#, #""\u12G4""#, #""\u+123""#, #""\U0041""#, #""\'""#,
        "\"a\nb\"", "\"\t\"", "\"\0\"", "\u{201C}a\u{201D}",
        "[", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1;2]", "[1}", "(1)",
        "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{"a",1}"#,
        "{a:1}", "{'a':1}", "{1:1}", "{null:1}", #"{"a":1]"#, #"{"a":1 "b":2}"#, #"{"a":}"#, #"{:1}"#, #"{"a"::1}"#,
        "// note\n1", "/* note */ 1", "1 # note", "\u{A0}1", "\u{B}1", "\u{C}1", "1\0",
    ]

    @Test(arguments: malformed)
    func `anything else is refused`(text: String) {
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }

        #expect(error?.kind == .malformed)
    }

    @Test(arguments: [#""\u0000""#, #"{"a":["b\u0000c"]}"#, #"{"\u0000":1}"#])
    func `U+0000 is refused, and in a stored document read as the replacement character`(text: String) throws {
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }
        let stored = try JSONValue(parsing: text, limits: .stored)

        #expect(error?.kind == .nul)
        #expect(stored.serialized() == text.replacing(#"\u0000"#, with: "\u{FFFD}"))
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"b":1,"b":1}}"#,
        #"[{"":1,"":2}]"#,
    ])
    func `a name may occur once in an object`(text: String) {
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }

        #expect(error?.kind == .duplicateName)
    }

    @Test func `a repeated name is found among a thousand others`() {
        let members = (0..<1000).map { "\"\($0)\":0" } + ["\"7\":0"]

        let error = #expect(throws: JSONParseError.self) {
            try JSONValue(parsing: "{\(members.joined(separator: ","))}")
        }

        #expect(error?.kind == .duplicateName)
    }

    @Test func `canonically equivalent names are different names`() throws {
        let object = try #require(JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4}").object)

        #expect(object.count == 4)
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(object["K"] == 3)
        #expect(object["\u{212A}"] == 4)
    }

    @Test(arguments: [
        #""\uD800""#, #""\uDC00""#, #""\uD800x""#, #""\uD800\n""#, #""\uD800\u0041""#, #""\uD800\uD800""#,
        #""\uDC00\uD800""#, #"{"\uD83D":1}"#, #""\uD83D\uE000""#,
    ])
    func `half a surrogate pair is refused`(text: String) {
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }

        #expect(error?.kind == .loneSurrogate)
    }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0x5C, 0x6E, 0xC3],
        ] as [[UInt8]])
    func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }

        #expect(error?.kind == .invalidUTF8)
    }

    @Test func `a document in UTF-16 is refused`() {
        #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0xFF, 0xFE, 0x31, 0x00]) }
        #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x00, 0x31]) }
    }

    @Test func `an error says where it is and nothing of the content`() {
        let error = #expect(throws: JSONParseError.self) {
            try JSONValue(parsing: "{\n  \"token\": \"hunter2\",\n  \"token\": 1\n}")
        }

        #expect(error?.offset == 26)
        #expect(error?.position(in: "{\n  \"token\": \"hunter2\",\n  \"token\": 1\n}".utf8) ?? (0, 0) == (3, 3))
        #expect("\(error.map(String.init(describing:)) ?? "")" == "second member with the same name at byte 26")
    }

    @Test func `documents come from any collection of bytes`() throws {
        let bytes = Array(#"xx{"a":[1]}"#.utf8)

        #expect(try JSONValue(parsing: bytes[2...]) == ["a": [1]])
        #expect(try JSONValue(parsing: bytes.lazy.dropFirst(2).map { $0 }) == ["a": [1]])
    }
}

extension JSONValue {
    fileprivate var negated: JSONValue {
        number.flatMap { JSONNumber(literal: "-" + $0.literal) }.map(JSONValue.number) ?? .null
    }
}
