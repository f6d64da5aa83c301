import StrictJSON
import Testing

@Suite("JSON Pointers")
struct JSONPointerTests {
    /// The document of RFC 6901 §5.
    private static func document() throws -> JSONValue {
        try JSONValue(
            parsing: #"""
                { "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7,
                  "m~n": 8 }
                """#)
    }

    @Test(arguments: [
        ("/foo/0", "bar"), ("/foo/1", "baz"),
    ])
    func `a pointer leads into arrays`(pointer: String, expected: String) throws {
        #expect(try Self.document()[try #require(JSONPointer(pointer))] == .string(expected))
    }

    @Test(arguments: [
        ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), (#"/i\j"#, 5), (#"/k"l"#, 6), ("/ ", 7),
        ("/m~0n", 8),
    ])
    func `a pointer leads to members whatever they are called`(pointer: String, expected: Int64) throws {
        #expect(try Self.document()[try #require(JSONPointer(pointer))] == .integer(expected))
    }

    @Test func `the empty pointer is the whole document`() throws {
        let document = try Self.document()
        #expect(document[try #require(JSONPointer(""))] == document)
    }

    @Test(arguments: ["foo", "foo/0", "/foo~", "/foo~2", "/~/x", " /foo", "\u{0301}/foo"])
    func `a text that is no pointer is refused`(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test(arguments: [
        "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/1.0", "/foo/99999999999999999999",
        "/foo/0/x", "/nothing", "/a/b", "/foo/",
    ])
    func `where nothing stands nothing is found`(pointer: String) throws {
        #expect(try Self.document()[try #require(JSONPointer(pointer))] == nil)
    }

    @Test func `names are compared byte by byte`() throws {
        let document: JSONValue = ["\u{212A}": 1]
        #expect(document[try #require(JSONPointer("/K"))] == nil)
        #expect(document[try #require(JSONPointer("/\u{212A}"))] == 1)
    }

    @Test(arguments: ["", "/", "/a~1b/m~0n", "/~01", "/x//y"])
    func `a pointer prints as it was written`(text: String) throws {
        #expect(try #require(JSONPointer(text)).description == text)
    }

    @Test func `a wrong pointer in a configuration names its place`() {
        struct Options: Decodable { let subject: JSONPointer }
        let error = #expect(throws: JSONDecodingError.self) {
            try JSONValueDecoder().decode(Options.self, from: ["subject": "response.id"], at: "/providers/0/options")
        }
        #expect(error?.path == "/providers/0/options/subject")
        #expect(error?.description.contains("JSON Pointer") == true)
    }
}
