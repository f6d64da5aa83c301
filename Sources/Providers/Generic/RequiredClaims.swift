import ProviderKit

/// `options.requiredClaims` of an OAuth 2 provider: values that the profile has to have, such as the id of one team.
struct RequiredClaims: DeclaredValue {
    private let values: [(pointer: JSONPointer, value: JSONValue)]

    init() {
        values = []
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var values: [(pointer: JSONPointer, value: JSONValue)] = []
        for (name, value) in try container.decode([String: JSONValue].self).sorted(by: { $0.key < $1.key }) {
            guard let pointer = ClaimPointer.pointer(name), !pointer.tokens.isEmpty, value.isComparable else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "expected JSON Pointers such as /team/id, each with a text, a number or a Boolean"
                )
            }
            values.append((pointer, value))
        }
        self.values = values
    }

    static let declaredSchema: JSONObject = [
        "type": "object", "propertyNames": ["pattern": "^(/([^/~]|~0|~1)*){1,16}$", "maxLength": 256],
        "additionalProperties": ["type": ["string", "number", "boolean"]],
    ]

    /// Whether a text or a number is fixed: the accounts of one team or organisation.
    var fixesTenant: Bool { !tenant.isEmpty }

    /// The fixed texts and numbers, which tell the accounts of two entries apart.
    var tenant: String {
        values.filter { $0.value.bool == nil }.map { "\($0.pointer) is \($0.value.serialized())" }
            .joined(separator: ", ")
    }

    /// The places of the values.
    var sources: [ClaimSource] { values.map { ClaimSource(pointer: $0.pointer) } }

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/credential`` when a value is missing or another.
    func check(_ profile: JSONValue) throws(ProviderError) {
        for (pointer, value) in values where profile[pointer] != value {
            throw ProviderError(
                .credential, at: .readProfile, "the value at \(pointer) is not the one of options.requiredClaims")
        }
    }
}
