import StrictJSON
import Testing

@Suite("encoding of types as JSON values")
struct JSONValueEncoderTests {
    private struct Person: Codable, Equatable {
        var name: String
        var age: Int?
        var scores: [Double]
        var address: Address?
        var raw: JSONObject
        var anything: JSONValue

        struct Address: Codable, Equatable {
            var city: String
            var isCurrent: Bool
        }
    }

    private static let ada = Person(
        name: "Ada", age: nil, scores: [1.5, -2], address: .init(city: "Łódź", isCurrent: true),
        raw: ["z": 1, "a": [.null]], anything: .string("x"))

    @Test func `members keep their order, absent values are left out, JSON stays as it is`() throws {
        let encoded = try JSONValueEncoder().encode(Self.ada).serialized()

        #expect(
            encoded
                == #"{"name":"Ada","scores":[1.5,-2.0],"address":{"city":"Łódź","isCurrent":true},"#
                + #""raw":{"z":1,"a":[null]},"anything":"x"}"#)
    }

    @Test func `the decoder reads back what was encoded`() throws {
        var other = Self.ada
        other.age = 36
        for person in [Self.ada, other] {
            let encoded = try JSONValueEncoder().encode(person)
            #expect(try JSONValueDecoder(unknownNames: .refused).decode(Person.self, from: encoded) == person)
        }
    }

    @Test func `a literal that no number of Swift holds stays whole`() throws {
        let long = try #require(JSONNumber(literal: "123456789012345678901234567890"))

        #expect(try JSONValueEncoder().encode([long]).serialized() == "[123456789012345678901234567890]")
    }

    @Test func `a number that JSON does not have is an error`() {
        #expect(throws: EncodingError.self) { try JSONValueEncoder().encode([Double.infinity]) }
    }

    @Test func `an empty type is an empty object, an enumeration its raw value`() throws {
        enum Color: String, Codable { case red }
        struct Nothing: Codable {}

        #expect(try JSONValueEncoder().encode(Nothing()) == [:])
        #expect(try JSONValueEncoder().encode([Color.red]) == ["red"])
    }

    @Test func `nested containers and super encoders land where they were asked for`() throws {
        struct Nested: Encodable {
            enum Key: String, CodingKey { case inner, list, parent }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                try inner.encode("x", forKey: .list)
                try "base".encode(to: container.superEncoder(forKey: .parent))
            }
        }

        let encoded = try JSONValueEncoder().encode(Nested())

        #expect(encoded.serialized() == #"{"inner":{"list":"x"},"list":[1],"parent":"base"}"#)
    }
}
