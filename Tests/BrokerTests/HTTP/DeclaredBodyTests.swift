import ProviderKit
import Testing

@testable import Broker

@Suite("a declared body")
struct DeclaredBodyTests {
    private enum Color: String, CaseIterable { case red, green }

    /// A body with a field of each kind.
    private struct Sample: Sendable {
        var name = ""
        var remark: String?
        var isNew: Bool?
        var count: Int?
        var words: [String] = []
        var color: Color?

        static let body = DeclaredBody<Sample>(
            [
                .text("theName", orThrow: .badRequest("theName is missing."), "A name.") { $0.name = $1 }.example(
                    "ann"),
                .refused(["secret"]) { .badRequest("\($0) is refused.") },
            ],
            [
                .text("remark", upTo: 4, "A remark.") { $0.remark = $1 },
                .flag("isNew", "Whether it is new.") { $0.isNew = $1 },
                .integer("count", 1...9, "How many.") { $0.count = $1 },
                .texts("words", atMost: 2, "Words.") { $0.words = $1 },
                .choice("color", of: Color.self, "A color.") { $0.color = $1 }.example("green"),
            ])

        init(_ fields: JSONObject) throws(WireError) { try Self.body.read(RequestFields(fields), into: &self) }
    }

    @Test func `reads its fields with Google's coercions`() throws {
        let sample = try Sample([
            "the_name": 7, "remark": "", "isNew": "true", "count": "3", "words": ["a"], "color": 1, "other": [:],
        ])

        #expect(sample.name == "7" && sample.remark == nil && sample.isNew == true && sample.count == 3)
        #expect(sample.words == ["a"] && sample.color == .green)
    }

    @Test(
        arguments: [
            ([:], "theName is missing."), (["theName": "a", "secret": 1, "remark": "large"], "secret is refused."),
            (["theName": "a", "remark": "large", "count": 0], "/remark must be at most 4 bytes"),
            (["theName": "a", "isNew": 1], "/isNew must be boolean"),
            (["theName": "a", "count": 10], "/count must be integer from 1 to 9"),
            (["theName": "a", "words": ["a", "b", "c"]], "/words must have at most 2 members"),
            (["theName": "a", "color": "blue"], "/color must be one of red, green"),
        ] as [(JSONObject, String)])
    func `refuses the first field that is wrong, in the order of the declarations`(
        fields: JSONObject, text: String
    ) throws {
        let error = #expect(throws: WireError.self) { try Sample(fields) }

        #expect(error?.text?.hasSuffix(text) == true, "\(error?.text ?? "")")
    }

    @Test func `has a schema with the texts and the limits of its fields, and without those it refuses`() {
        let schema = Sample.body.schema

        #expect(schema["required"] == ["theName"])
        #expect(schema["properties"]?.object?.names == ["theName", "remark", "isNew", "count", "words", "color"])
        #expect(schema["properties"]?["remark"] == ["type": "string", "maxLength": 4, "description": "A remark."])
        #expect(schema["properties"]?["color"]?["enum"] == ["red", "green"])
        #expect(Sample.body.example == ["theName": "ann", "color": "green"])
    }
}
