/// An encoder of `Encodable` types to JSON values, the counterpart of ``JSONValueDecoder``.
///
/// Members keep the order in which the type encodes them. A ``JSONValue`` or ``JSONObject`` inside the type is taken
/// unchanged, with its literals.
public struct JSONValueEncoder: Sendable {
    /// Makes an encoder.
    public init() {}

    /// Encodes `value`.
    ///
    /// - Throws: `EncodingError` for numbers that JSON cannot represent, or an error of the type's `encode(to:)`.
    public func encode(_ value: some Encodable) throws -> JSONValue {
        try JSONEncodingScope.encoded(value, at: [])
    }
}

/// One value being encoded.
private final class JSONEncodingScope: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var content = Content.none

    /// Containers are classes, so that their parent reads them when encoding ends.
    private enum Content {
        case none
        case value(JSONValue)
        case members(JSONMembers)
        case elements(JSONElements)
    }

    init(at codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    /// The encoded value; an empty object when the type encoded nothing.
    var value: JSONValue {
        switch content {
        case .none: [:]
        case .value(let value): value
        case .members(let members): members.value
        case .elements(let elements): elements.value
        }
    }

    static func encoded(_ value: some Encodable, at path: [any CodingKey]) throws -> JSONValue {
        if let value = value as? JSONValue { return value }
        if let object = value as? JSONObject { return .object(object) }
        if let number = value as? JSONNumber { return .number(number) }
        let scope = JSONEncodingScope(at: path)
        try value.encode(to: scope)
        return scope.value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let members = if case .members(let members) = content { members } else { JSONMembers() }
        content = .members(members)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let elements = if case .elements(let elements) = content { elements } else { JSONElements() }
        content = .elements(elements)
        return JSONUnkeyedEncodingContainer(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    static func number(_ value: Double, at path: [any CodingKey]) throws -> JSONValue {
        guard let number = JSONNumber(value) else {
            let context = EncodingError.Context(codingPath: path, debugDescription: "JSON has no such number")
            throw EncodingError.invalidValue(value, context)
        }
        return .number(number)
    }
}

extension JSONEncodingScope: SingleValueEncodingContainer {
    func encodeNil() { content = .value(.null) }
    func encode(_ value: Bool) { content = .value(.bool(value)) }
    func encode(_ value: String) { content = .value(.string(value)) }
    func encode(_ value: Double) throws { content = .value(try Self.number(value, at: codingPath)) }
    func encode(_ value: Float) throws { content = .value(try Self.number(Double(value), at: codingPath)) }
    func encode(_ value: Int) { content = .value(.integer(value)) }
    func encode(_ value: Int8) { content = .value(.integer(value)) }
    func encode(_ value: Int16) { content = .value(.integer(value)) }
    func encode(_ value: Int32) { content = .value(.integer(value)) }
    func encode(_ value: Int64) { content = .value(.integer(value)) }
    func encode(_ value: UInt) { content = .value(.integer(value)) }
    func encode(_ value: UInt8) { content = .value(.integer(value)) }
    func encode(_ value: UInt16) { content = .value(.integer(value)) }
    func encode(_ value: UInt32) { content = .value(.integer(value)) }
    func encode(_ value: UInt64) { content = .value(.integer(value)) }
    func encode(_ value: some Encodable) throws { content = .value(try Self.encoded(value, at: codingPath)) }
}

/// The members of an object being encoded. A nested container's value is read when encoding ends.
private final class JSONMembers {
    private var members: [(String, () -> JSONValue)] = []
    var value: JSONValue { .object(JSONObject(members.map { ($0, $1()) })) }

    func add(_ key: any CodingKey, _ value: @escaping @autoclosure () -> JSONValue) {
        members.append((key.stringValue, value))
    }
}

/// The elements of an array being encoded.
private final class JSONElements {
    private var elements: [() -> JSONValue] = []
    var count: Int { elements.count }
    var value: JSONValue { .array(elements.map { $0() }) }

    func add(_ value: @escaping @autoclosure () -> JSONValue) { elements.append(value) }
}

private struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let members: JSONMembers
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { members.add(key, .null) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let encoded = try JSONEncodingScope.encoded(value, at: codingPath + [key])
        members.add(key, encoded)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let nested = JSONMembers()
        members.add(key, nested.value)
        return KeyedEncodingContainer(
            JSONKeyedEncodingContainer<Nested>(members: nested, codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = JSONElements()
        members.add(key, nested.value)
        return JSONUnkeyedEncodingContainer(elements: nested, codingPath: codingPath + [key])
    }

    func superEncoder() -> any Encoder { superEncoder(JSONDecodingPath.Key("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: any CodingKey) -> any Encoder {
        let scope = JSONEncodingScope(at: codingPath + [key])
        members.add(key, scope.value)
        return scope
    }
}

private struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let elements: JSONElements
    let codingPath: [any CodingKey]
    var count: Int { elements.count }

    private var path: [any CodingKey] { codingPath + [JSONDecodingPath.Key(count)] }

    func encodeNil() { elements.add(.null) }

    func encode(_ value: some Encodable) throws {
        let encoded = try JSONEncodingScope.encoded(value, at: path)
        elements.add(encoded)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let (nested, path) = (JSONMembers(), path)
        elements.add(nested.value)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer<Nested>(members: nested, codingPath: path))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (nested, path) = (JSONElements(), path)
        elements.add(nested.value)
        return JSONUnkeyedEncodingContainer(elements: nested, codingPath: path)
    }

    func superEncoder() -> any Encoder {
        let scope = JSONEncodingScope(at: path)
        elements.add(scope.value)
        return scope
    }
}
