import StrictJSON
import Testing

@Suite("Objects written member by member")
struct JSONObjectWriterTests {
    @Test func `a written object has the text of the same object made of values`() {
        let inner: JSONObject = ["sid": "s", "list": [1, true, nil]]
        var writer = JSONObjectWriter(capacity: 16)
        writer.add("text", "a \"quoted\" \u{1}\u{1F600}")
        writer.add("number", Int64.min)
        writer.add("flag", false)
        writer.add("empty") { _ in }
        writer.add("object") { object in
            object.add("first", "1")
            object.add("second") { $0.add(named: "na\"me", 2) }
            object.add("third", true)
        }
        writer.add(contentsOf: inner)
        writer.add("last", "")

        let expected: JSONObject = [
            "text": "a \"quoted\" \u{1}\u{1F600}", "number": .integer(Int64.min), "flag": false, "empty": [:],
            "object": ["first": "1", "second": ["na\"me": 2], "third": true], "sid": "s", "list": [1, true, nil],
            "last": "",
        ]
        #expect(String(decoding: writer.finish(), as: UTF8.self) == expected.serialized())
    }

    @Test func `an object without members is written`() {
        #expect(JSONObjectWriter(capacity: 2).finish() == Array("{}".utf8))
        #expect(JSONObject().serializedBytes() == Array("{}".utf8))
    }

    @Test(arguments: ["\"", "\\", "\u{1}", "\u{1F}", "\n"])
    func `a character that needs an escape is found at each place of a string`(character: String) throws {
        for length in 0..<70 {
            for place in 0...length {
                let text =
                    String(repeating: "x", count: place) + character + String(repeating: "é", count: length - place)
                let json = JSONValue.string(text).serialized()

                #expect(try JSONValue(parsing: json) == .string(text))
            }
        }
    }
}
