/// An array of the document, as an unkeyed decoding container.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let scope: JSONDecodingScope
    private(set) var currentIndex = 0

    init(_ elements: [JSONValue], in scope: JSONDecodingScope) {
        self.elements = elements
        self.scope = scope
    }

    var codingPath: [any CodingKey] { scope.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try current().value.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try advance { try $0.decode(type) } }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try advance { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advance { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try advance { $0 } }

    /// Decodes the next element; advances only on success.
    private mutating func advance<T>(_ decode: (JSONDecodingScope) throws -> T) throws -> T {
        let result = try decode(current())
        currentIndex += 1
        return result
    }

    private func current() throws -> JSONDecodingScope {
        guard !isAtEnd else {
            let place = JSONDecodingPath.element(currentIndex, of: scope.path)
            let error = JSONDecodingError(path: place.pointer, kind: .missing)
            throw DecodingError.valueNotFound(JSONValue.self, scope.context(error))
        }
        return scope.element(currentIndex, elements[currentIndex])
    }
}
