import Foundation
import HTTPTypes
import ProviderKit

/// An answer whose members all occur twice, the second time with another value: parsers disagree about which one counts.
struct DuplicatedMembers {
    let response: SimulatorResponse

    init(in honest: SimulatorResponse) {
        var response = honest
        let text = String(decoding: honest.body, as: UTF8.self)
        if honest.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true {
            response.body = Array(Self.spoil(form: text).utf8)
        } else if let value = try? JSONValue(parsing: honest.body) {
            response.body = Self.spoil(value)
        }
        self.response = response
    }

    private static func spoil(form text: String) -> String {
        guard let fields = try? FormFields(decoding: text) else { return text }
        var twice = fields
        for pair in fields.pairs { twice.append(pair.name, "duplicate") }
        return twice.encoded
    }

    private static func spoil(_ value: JSONValue) -> [UInt8] {
        switch value {
        case .object(let members):
            let other = JSONValue.object(JSONObject(members.map { ($0.name, Self.other($0.value)) }))
            return value.bytes.dropLast() + [UInt8(ascii: ",")] + other.bytes.dropFirst()
        case .array(let elements):
            let documents = elements.enumerated().map { index, element in index == 0 ? spoil(element) : element.bytes }
            return [UInt8(ascii: "[")] + documents.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        case .null, .bool, .number, .string:
            return value.bytes
        }
    }

    private static func other(_ value: JSONValue) -> JSONValue {
        switch value {
        case .bool(let flag): .bool(!flag)
        case .number: 1
        case .string: "duplicate"
        case .null, .array, .object: value
        }
    }
}
