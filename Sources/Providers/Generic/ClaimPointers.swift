import ProviderKit

/// The place of one claim: a JSON Pointer, or several in order of preference.
struct ClaimPointers: DeclaredValue {
    let pointers: [JSONPointer]

    init(_ pointers: [JSONPointer]) {
        self.pointers = pointers
    }

    /// A pointer to a top-level member of the document.
    init(member name: String) {
        pointers = [JSONPointer("/" + name)].compactMap(\.self)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(JSONValue.self)
        let texts = value.array ?? [value]
        pointers = texts.compactMap { $0.string.flatMap(ClaimPointer.pointer) }
        guard (1...Self.maximumCount).contains(pointers.count), pointers.count == texts.count else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a JSON Pointer such as /response/id, or a list of at most 8 of them, "
                    + "each \(ClaimPointer.limits)")
        }
    }

    static var declaredSchema: JSONObject {
        let pointer = JSONValue.object(ClaimPointer.declaredSchema)
        let list: JSONObject = [
            "type": "array", "minItems": 1, "maxItems": .integer(maximumCount), "items": pointer,
        ]
        return ["anyOf": [pointer, .object(list)]]
    }

    static let maximumCount = 8

    /// The first string that is present and not empty.
    func text(in document: JSONValue) -> String? {
        pointers.lazy.compactMap { document[$0]?.string }.first { !$0.isEmpty }
    }

    /// Whether all values are true; `nil` when one is missing. With `acceptsText` the string `"true"` is true as well,
    /// because some providers send it.
    func isTrue(in document: JSONValue, acceptsText: Bool) -> Bool? {
        var isTrue = true
        for pointer in pointers {
            switch document[pointer] {
            case nil, .null: return nil
            case .bool(true): continue
            case .string(let text) where acceptsText && text.utf8.elementsEqual("true".utf8): continue
            default: isTrue = false
            }
        }
        return isTrue
    }
}
