import Foundation
import StrictJSON
import Testing

@Suite("Types that decode by hand find all they need")
struct JSONDecodingContainerTests {
    class Base: Decodable {
        let id: Int
    }

    final class Derived: Base {
        let name: String, nested: String, element: Int, rest: [Int], owner: Base

        enum Keys: String, CodingKey { case name, outer, inner, list, base }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            name = try container.decode(String.self, forKey: .name)
            let outer = try container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
            nested = try outer.decode(String.self, forKey: .inner)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            let isNil = try list.decodeNil()
            element = isNil ? try list.decode(Int.self) : -1
            var inner = try list.nestedUnkeyedContainer()
            var rest: [Int] = []
            while !inner.isAtEnd { rest.append(try inner.decode(Int.self)) }
            self.rest = rest
            owner = try Base(from: container.superDecoder(forKey: .base))
            try super.init(from: container.superDecoder())
        }
    }

    static let derived: JSONValue = [
        "name": "n", "outer": ["inner": "i"], "list": [nil, 4, [5, 6]], "base": ["id": 1], "super": ["id": 2],
    ]

    @Test func `nested containers and superclasses are decoded`() throws {
        let decoded = try JSONValueDecoder(unknownNames: .refused).decode(Derived.self, from: Self.derived)

        #expect(decoded.nested == "i")
        #expect(decoded.element == 4)
        #expect(decoded.rest == [5, 6])
        #expect(decoded.owner.id == 1)
        #expect(decoded.id == 2)
    }

    @Test func `an array that ends too early is missing an element`() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try (container.decode(Int.self), container.decode(Int.self))
            }
        }

        let error = #expect(throws: JSONDecodingError.self) {
            try JSONValueDecoder().decode([String: Pair].self, from: ["p": [1]])
        }

        #expect(error == JSONDecodingError(path: "/p/1", kind: .missing))
    }

    @Test func `a type finds what was handed to the decoder`() throws {
        struct Reader: Decodable {
            let value: String?
            init(from decoder: any Decoder) throws {
                value = CodingUserInfoKey(rawValue: "base").flatMap { decoder.userInfo[$0] as? String }
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "base"))

        let readers = try JSONValueDecoder(userInfo: [key: "here"]).decode([Reader].self, from: [[:]])

        #expect(readers.first?.value == "here")
    }

    @Test func `a document is parsed and decoded in one step`() throws {
        #expect(try JSONValue.decode([Int].self, parsing: Array("[1,2]".utf8)) == [1, 2])
        #expect(throws: JSONParseError.self) { try JSONValue.decode([Int].self, parsing: Array("[1,]".utf8)) }
        #expect(throws: JSONDecodingError.self) { try JSONValue.decode([Int].self, parsing: Array("{}".utf8)) }
    }

    @Test func `other encoders can write a value and other decoders cannot lose its literals`() throws {
        let fraction = try #require(JSONNumber(2.5))
        let value: JSONValue = ["a": [1, .number(fraction), nil, true, "x"], "b": [:]]

        let written = try JSONEncoder().encode(value)

        #expect(try JSONValue(parsing: written) == value)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: written) }
    }
}
