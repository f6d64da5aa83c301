/// An object of the document, as a keyed decoding container.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject
    private let scope: JSONDecodingScope

    init(_ object: JSONObject, in scope: JSONDecodingScope) {
        self.object = object
        self.scope = scope
    }

    var codingPath: [any CodingKey] { scope.codingPath }

    /// Dictionaries decode through `allKeys`: every name is then known.
    var allKeys: [Key] {
        scope.usage?.takesEveryName = true
        return object.compactMap { Key(stringValue: $0.name) }
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try existing(key).value.isNull }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try existing(key).decode(type) }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let string)? = member(key) { return string }
        return try existing(key).decode(type)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if case .bool(let bool)? = member(key) { return bool }
        return try existing(key).decode(type)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        if case .string(let string)? = member(key) { return string }
        return try present(key)?.decode(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key)?.decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try existing(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try existing(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { optional("super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { optional(key.stringValue) }

    private func member(_ key: Key) -> JSONValue? {
        scope.usage?.ask(key.stringValue)
        return object[key.stringValue]
    }

    private func present(_ key: Key) -> JSONDecodingScope? {
        guard let value = member(key), !value.isNull else { return nil }
        return scope.member(key.stringValue, value)
    }

    private func existing(_ key: Key) throws -> JSONDecodingScope {
        guard let value = member(key) else { throw DecodingError.keyNotFound(key, scope.context(absence(of: key))) }
        return scope.member(key.stringValue, value)
    }

    /// The value of `name`, or null, because a superclass may accept an empty value.
    private func optional(_ name: String) -> JSONDecodingScope {
        scope.usage?.ask(name)
        return scope.member(name, object[name] ?? .null)
    }

    /// A missing member is reported as an unknown name when the object has a similar one.
    private func absence(of key: Key) -> JSONDecodingError {
        let name = key.stringValue
        if let usage = scope.usage {
            let misspelt = object.first {
                usage.isUnknown($0.name) && NearestName.nearest(to: $0.name, among: [name]) != nil
            }
            if let misspelt {
                return JSONDecodingError(
                    path: JSONDecodingPath.member(misspelt.name, of: scope.path).pointer,
                    kind: .unknownName(nearest: name))
            }
        }
        return JSONDecodingError(path: JSONDecodingPath.member(name, of: scope.path).pointer, kind: .missing)
    }
}
