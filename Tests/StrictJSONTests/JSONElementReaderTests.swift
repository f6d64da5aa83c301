import StrictJSON
import Testing

@Suite("Elements of a JSON array that arrives in parts")
struct JSONElementReaderTests {
    /// Reads a document in parts of `size` bytes.
    private static func elements(
        of document: String, partSize: Int = 1, limits: JSONLimits = .standard
    ) throws -> [JSONValue] {
        var reader = JSONElementReader(member: "users", limits: limits)
        var elements: [JSONValue] = []
        var rest = Array(document.utf8)[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(partSize))
            rest = rest.dropFirst(partSize)
            while let element = try reader.next() { elements.append(element) }
        }
        try reader.finish()
        return elements
    }

    private static let values: [JSONValue] = [
        ["name": "a \"quoted\" ] } , \\ name", "list": [[], [1, 2], [:]]], "text", 12, -1, true, .null, [:], [],
    ]
    private static let array = JSONValue.array(values).serialized()

    @Test(arguments: 1...7)
    func `are the same wherever the document is cut`(size: Int) throws {
        #expect(try Self.elements(of: Self.array, partSize: size) == Self.values)
        let document = #" {"kind" : "x", "list":[1,[2]], "users" : \#(Self.array) , "n":{"users":[3]} , "z":1 } "#
        #expect(try Self.elements(of: document, partSize: size) == Self.values)
    }

    @Test(arguments: ["[]", " [ ] ", #"{"users":[]}"#, "{}", #"{"a":[1]}"#])
    func `may be none`(document: String) throws {
        #expect(try Self.elements(of: document).isEmpty)
    }

    @Test(arguments: [
        "", " ", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1]x", "{", #"{"users":[1}"#, #"{"users":[1]"#,
        #"{"users":[1],}"#, #"{"a":1,"a":2}"#, #"{"users":[1],"users":[2]}"#, #"{"users" [1]}"#, #"{1:2}"#, "1",
        "\"a\"", #"[{"a":1,"a":2}]"#, #"["\x"]"#, "[tru]", "[01]",
    ])
    func `are refused where the document breaks a rule`(document: String) {
        #expect(throws: JSONParseError.self) { try Self.elements(of: document) }
    }

    @Test func `an error tells its place in the document`() {
        let document = #"{"users":[{"a":1},{"b":tru}]}"#

        for size in [1, 5, 100] {
            let error = #expect(throws: JSONParseError.self) { try Self.elements(of: document, partSize: size) }
            #expect(error?.offset == 23)
        }
    }

    @Test func `an element has the limits of a document, the whole has none`() throws {
        let limits = JSONLimits(maximumBytes: 20)
        let element = #"{"a":"0123456789"}"#
        let long = #"{"a":"0123456789abcdef"}"#

        let many = try Self.elements(
            of: "[" + Array(repeating: element, count: 100).joined(separator: ",") + "]", limits: limits)
        let error = #expect(throws: JSONParseError.self) { try Self.elements(of: "[\(long)]", limits: limits) }

        #expect(many.count == 100)
        #expect(error?.kind == .tooLarge)
    }
}
