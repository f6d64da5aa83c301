import StrictJSON
import Testing

@testable import BrokerStore

@Suite("Details of audit entries")
struct AuditDetailTests {
    private static func read(_ detail: AuditDetail) throws -> JSONValue { try JSONValue(parsing: detail.text) }

    @Test func `a detail that fits is stored as it is`() throws {
        let object: JSONObject = ["scopes": ["a", "b"], "count": 2, "isNew": true, "note": "\"\\\n😀", "none": nil]

        #expect(AuditDetail(object).text == object.serialized())
        #expect(AuditDetail().text == "{}")
    }

    @Test(arguments: [1, 40, 5000])
    func `a long list ends with how many more there were`(length: Int) throws {
        let scopes = (0..<900).map { JSONValue.string("\($0)-" + String(repeating: "s", count: length)) }

        let detail = AuditDetail(["outcome": "scope_missing", "missing": .array(scopes), "client": "c1"])

        let value = try Self.read(detail)
        let kept = try #require(value["missing"]?.array)
        #expect(detail.text.utf8.count <= AuditDetail.maximumSize && kept.count > 3)
        #expect(value["outcome"] == "scope_missing" && value["client"] == "c1")
        #expect(kept.last == .string("… \(900 - (kept.count - 1)) more"))
        #expect(kept.first?.string?.hasPrefix("0-s") == true)
    }

    @Test func `long texts are cut between characters, and share what short ones leave`() throws {
        let long = String(repeating: "\u{1F468}\u{200D}\u{1F469}\"", count: 1000)

        let value = try Self.read(AuditDetail(["first": .string(long), "short": "whole", "second": .string(long)]))

        #expect(value["short"] == "whole")
        for name in ["first", "second"] {
            let text = try #require(value[name]?.string)
            #expect(text.hasSuffix("…") && text.utf8.count > 300)
            #expect(long.utf8.starts(with: text.dropLast().utf8))
        }
    }

    @Test func `members that do not fit are counted`() throws {
        let members = (0..<500).map { ("name-\($0)", JSONValue.string("value")) }

        let value = try Self.read(AuditDetail(JSONObject(members)))

        let count = try #require(value.object?.count)
        #expect(value["…"] == .string("\(500 - (count - 1)) more"))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no object is longer, whatever it has`(seed: UInt64) throws {
        var random = RandomObjects(seed: seed)
        for _ in 0..<10 {
            let object = random.object(depth: 2)
            let detail = AuditDetail(object)

            #expect(detail.text.utf8.count <= AuditDetail.maximumSize, "seed \(seed)")
            let value = try Self.read(detail)
            if object.serialized().utf8.count <= AuditDetail.maximumSize { #expect(value == .object(object)) }
        }
    }
}

/// Objects with members of very different sizes.
private struct RandomObjects {
    private var state: SplitMix

    init(seed: UInt64) {
        state = SplitMix(state: seed)
    }

    mutating func object(depth: Int) -> JSONObject {
        var object = JSONObject()
        for number in 0..<Int.random(in: 0...12, using: &state) { object["\(number)\(text())"] = value(depth: depth) }
        return object
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &state) {
        case 0: .null
        case 1: .bool(Bool.random(using: &state))
        case 2: .integer(Int64.random(in: .min ... .max, using: &state))
        case 3: .string(text())
        case 4: .array((0..<Int.random(in: 0...12, using: &state)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth - 1))
        }
    }

    private mutating func text() -> String {
        let alphabet = ["a", "\"", "\n", "\u{1}", "é", "😀", "\u{202E}", "\u{301}"]
        let length = Bool.random(using: &state) ? 8 : Int.random(in: 0...800, using: &state)
        return (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &state)] }.joined()
    }

    /// SplitMix64.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
