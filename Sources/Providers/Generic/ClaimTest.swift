import ProviderKit

/// A test of claims at an OAuth 2 provider: a constant, places whose values all have to be true, or a place and its value.
enum ClaimTest: DeclaredValue {
    case constant(Bool)
    case allTrue([ClaimSource])
    case equals(ClaimSource, JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(JSONValue.self)
        if let constant = value.bool {
            self = .constant(constant)
        } else if value["equals"] != nil {
            let comparison = try Comparison(from: decoder)
            guard comparison.value.isComparable else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "equals must be a text, a number, true or false")
            }
            self = .equals(
                ClaimSource(pointer: comparison.pointer?.pointer ?? JSONPointer(names: []), in: comparison.place),
                comparison.value)
        } else {
            self = .allTrue(try ClaimSources(from: decoder).sources)
        }
    }

    static var declaredSchema: JSONObject {
        [
            "anyOf": [
                ["type": "boolean"], .object(ClaimSources.declaredSchema), .object(Comparison.declaredSchema),
            ]
        ]
    }

    var sources: [ClaimSource] {
        switch self {
        case .constant: []
        case .allTrue(let sources): sources
        case .equals(let source, _): [source]
        }
    }

    /// Whether the test holds; a value that is missing fails it. With `acceptsText` the string `"true"` is true as well.
    func holds(in documents: ClaimDocuments, acceptsText: Bool) -> Bool {
        switch self {
        case .constant(let value): value
        case .allTrue(let sources):
            sources.allSatisfy { documents[$0] == true || acceptsText && documents[$0] == "true" }
        case .equals(let source, let value): documents[source] == value
        }
    }

    private struct Comparison: DeclaredOptions {
        var place: ClaimPlace?
        var pointer: ClaimPointer?
        var value = JSONValue.null

        static let declaration = DeclaredObject<Comparison>(
            "A claim and the value that it has to have.",
            [
                .key("in", \.place, "the document, as for other claims").initially(inWords: "userinfo"),
                .key("pointer", \.pointer, "the place in it, a JSON Pointer (RFC 6901)").required(),
                .key("equals", \.value, "the value, exactly: a text, a number, `true` or `false`").required()
                    .narrowed(by: ["type": ["string", "number", "boolean"]]),
            ])
    }
}

extension JSONValue {
    /// Whether a claim can be compared with this value: a text, a number or a Boolean.
    var isComparable: Bool {
        switch self {
        case .bool, .number, .string: true
        case .null, .array, .object: false
        }
    }
}
