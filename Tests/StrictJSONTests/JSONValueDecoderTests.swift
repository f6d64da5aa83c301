import Foundation
import StrictJSON
import Testing

@Suite("Types are decoded from JSON without coercion")
struct JSONValueDecoderTests {
    struct Everything: Decodable, Equatable {
        enum Colour: String, Decodable { case red, green }
        struct Part: Decodable, Equatable { let name: String }

        let text: String, flag: Bool, integer: Int, small: UInt8, large: UInt64, ratio: Double
        let colour: Colour, part: Part, parts: [Part], table: [String: Int], byNumber: [Int: String]
        let nothing: Int?, absent: Int?, raw: JSONValue, object: JSONObject, number: JSONNumber, link: URL
    }

    static let everything: JSONValue = [
        "text": "a", "flag": true, "integer": -5, "small": 255, "large": .integer(UInt64.max), "ratio": 3,
        "colour": "green", "part": ["name": "p"], "parts": [["name": "q"], ["name": "r"]], "table": ["x": 1, "y": 2],
        "byNumber": ["7": "seven"], "nothing": nil, "raw": ["any": [1, "two"]], "object": ["k": nil], "number": 12,
        "link": "https://id.example/a",
    ]

    @Test func `every kind of member is decoded`() throws {
        let decoded = try JSONValueDecoder(unknownNames: .refused).decode(Everything.self, from: Self.everything)

        #expect(decoded.large == .max)
        #expect(decoded.ratio == 3)
        #expect(decoded.colour == .green)
        #expect(decoded.parts.map(\.name) == ["q", "r"])
        #expect(decoded.table == ["x": 1, "y": 2])
        #expect(decoded.byNumber == [7: "seven"])
        #expect(decoded.nothing == nil)
        #expect(decoded.absent == nil)
        #expect(decoded.raw == ["any": [1, "two"]])
        #expect(decoded.object == ["k": nil])
        #expect(decoded.number.literal == "12")
        #expect(decoded.link.absoluteString == "https://id.example/a")
    }

    static func error<T: Decodable>(_ type: T.Type, _ text: String, at path: String = "") -> JSONDecodingError? {
        #expect(throws: JSONDecodingError.self) {
            try JSONValueDecoder().decode(type, from: JSONValue(parsing: text), at: path)
        }
    }

    @Test(arguments: [
        ("1.0", "number"), ("1e0", "number"), ("\"1\"", "string"), ("true", "boolean"), ("null", "null"),
        ("[1]", "array"),
    ])
    func `an integer is an integer literal`(text: String, found: String) {
        #expect(Self.error(Int.self, text)?.kind == .wrongType(expected: "integer", found: found))
    }

    @Test(arguments: [("256", "number out of range"), ("-1", "number out of range")])
    func `an integer fits its type`(text: String, reason: String) {
        #expect(Self.error(UInt8.self, text)?.kind == .invalid(reason: reason))
    }

    @Test(arguments: ["0", "1", "\"true\"", "null"])
    func `a truth value is true or false`(text: String) {
        #expect(Self.error(Bool.self, text) != nil)
    }

    @Test func `a string is a string and a number is finite`() {
        #expect(Self.error(String.self, "1")?.kind == .wrongType(expected: "string", found: "integer"))
        #expect(Self.error(Double.self, "\"1\"")?.kind == .wrongType(expected: "number", found: "string"))
        #expect(Self.error(Double.self, "1e999")?.kind == .invalid(reason: "number out of range"))
        #expect(Self.error(Float.self, "1e39")?.kind == .invalid(reason: "number out of range"))
        #expect(Self.error([Int].self, "{}")?.kind == .wrongType(expected: "array", found: "object"))
        #expect(Self.error([String: Int].self, "[]")?.kind == .wrongType(expected: "object", found: "array"))
        #expect(Self.error(JSONObject.self, "1.5")?.kind == .wrongType(expected: "object", found: "number"))
        #expect(Self.error(URL.self, "\"http://exa mple\"")?.kind == .invalid(reason: "not a URL"))
    }

    @Test func `an error names the place`() {
        let wrong = Self.error([[String: [Everything.Part]]].self, #"[{},{"a/b":[{"name":"x"},{"name":null}]}]"#)
        let missing = Self.error([String: Everything.Part].self, #"{"x":{}}"#, at: "/providers/0")

        #expect(wrong?.path == "/1/a~1b/1/name")
        #expect(wrong?.kind == .wrongType(expected: "string", found: "null"))
        #expect(missing == JSONDecodingError(path: "/providers/0/x/name", kind: .missing))
        #expect(missing?.description == "/providers/0/x/name: missing")
    }

    struct Even: Decodable {
        let number: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            number = try container.decode(Int.self)
            guard number.isMultiple(of: 2) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be even")
            }
        }
    }

    @Test func `what a type objects to is said at its place`() {
        let odd = Self.error([String: [Even]].self, #"{"n":[2,3]}"#)
        let colour = Self.error(Everything.Colour.self, "\"blue\"", at: "/colour")

        #expect(odd == JSONDecodingError(path: "/n/1", kind: .invalid(reason: "must be even")))
        #expect(colour?.path == "/colour")
    }

    struct Fussy: Decodable {
        struct Refusal: Error, CustomStringConvertible { let description = "no" }
        init(from decoder: any Decoder) throws { throw Refusal() }
    }

    @Test func `an error of a type's own is an error of the document`() {
        #expect(Self.error(Fussy.self, "1", at: "/f") == JSONDecodingError(path: "/f", kind: .invalid(reason: "no")))
    }

    @Test func `a type may try one form and then another`() throws {
        struct OneOrMany: Decodable {
            let values: [String]
            init(from decoder: any Decoder) throws {
                do {
                    values = [try decoder.singleValueContainer().decode(String.self)]
                } catch DecodingError.typeMismatch {
                    values = try [String](from: decoder)
                }
            }
        }

        let decoded = try JSONValueDecoder().decode([OneOrMany].self, from: ["a", ["b", "c"]])

        #expect(decoded.map(\.values) == [["a"], ["b", "c"]])
    }
}
