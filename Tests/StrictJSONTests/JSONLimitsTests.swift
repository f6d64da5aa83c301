import StrictJSON
import Testing

@Suite("JSON documents have limits")
struct JSONLimitsTests {
    static func nested(_ depth: Int, open: String = "[", close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    @Test func `32 levels are enough and one more is too deep`() throws {
        _ = try JSONValue(parsing: Self.nested(32))

        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: Self.nested(33)) }

        #expect(error?.kind == .tooDeep)
        #expect(error?.offset == 32)
    }

    @Test(arguments: ["[", #"{"a":"#, #"[{"":"#])
    func `ten thousand levels are an error, whatever the limits say`(open: String) {
        for limits in [JSONLimits.standard, JSONLimits(maximumDepth: .max)] {
            let error = #expect(throws: JSONParseError.self) {
                try JSONValue(parsing: Self.nested(10_000, open: open, close: ""), limits: limits)
            }

            #expect(error?.kind == .tooDeep)
        }
    }

    @Test func `the deepest allowed document is read and written`() throws {
        let text = Self.nested(JSONLimits.deepest)

        let value = try JSONValue(parsing: text, limits: JSONLimits(maximumDepth: .max))

        #expect(value.serialized() == text)
    }

    @Test func `objects and arrays count alike and a lone value is at depth zero`() throws {
        _ = try JSONValue(parsing: "1", limits: JSONLimits(maximumDepth: 0))
        _ = try JSONValue(parsing: #"[{"a":1},{"a":[]}]"#, limits: JSONLimits(maximumDepth: 3))

        #expect(throws: JSONParseError.self) { try JSONValue(parsing: "[]", limits: JSONLimits(maximumDepth: 0)) }
        #expect(throws: JSONParseError.self) {
            try JSONValue(parsing: #"[{"a":[]}]"#, limits: JSONLimits(maximumDepth: 2))
        }
    }

    @Test func `one byte more than allowed is too large`() throws {
        _ = try JSONValue(parsing: "[1,2]", limits: JSONLimits(maximumBytes: 5))

        let error = #expect(throws: JSONParseError.self) {
            try JSONValue(parsing: "[1,2] ", limits: JSONLimits(maximumBytes: 5))
        }

        #expect(error?.kind == .tooLarge)
    }

    @Test func `a document full of names costs time in proportion to its length`() throws {
        let members = (0..<100_000).map { "\"n\($0)\":0" }.joined(separator: ",")

        let value = try JSONValue(parsing: "{\(members)}", limits: JSONLimits(maximumBytes: .max))

        #expect(value.object?.count == 100_000)
        #expect(value["n99999"] == 0)
    }
}
