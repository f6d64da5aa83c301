import Foundation

/// One value of the document, as a `Decoder`.
///
/// Errors are thrown as `DecodingError`, because types catch those; each contains a ``JSONDecodingError``.
final class JSONDecodingScope {
    let value: JSONValue
    let path: JSONDecodingPath
    /// Nil when unknown names are ignored.
    let usage: JSONNameUsage?
    private let sharedUserInfo: [CodingUserInfoKey: any Sendable]

    init(
        _ value: JSONValue, at path: JSONDecodingPath, usage: JSONNameUsage?,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) {
        self.value = value
        self.path = path
        self.usage = usage
        sharedUserInfo = userInfo
    }

    func member(_ name: String, _ value: JSONValue) -> JSONDecodingScope {
        JSONDecodingScope(
            value, at: .member(name, of: path), usage: usage?.child(name), userInfo: sharedUserInfo)
    }

    func element(_ position: Int, _ value: JSONValue) -> JSONDecodingScope {
        JSONDecodingScope(
            value, at: .element(position, of: path), usage: usage?.child(String(position)), userInfo: sharedUserInfo)
    }

    func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
        let error = JSONDecodingError(
            path: path.pointer, kind: .wrongType(expected: expected, found: value.kindName))
        return .typeMismatch(type, context(error))
    }

    func invalid(_ reason: String) -> DecodingError {
        .dataCorrupted(context(JSONDecodingError(path: path.pointer, kind: .invalid(reason: reason))))
    }

    func context(_ error: JSONDecodingError) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: path.codingPath, debugDescription: error.description, underlyingError: error)
    }
}

extension JSONDecodingScope: Decoder {
    var codingPath: [any CodingKey] { path.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { sharedUserInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw mismatch([String: JSONValue].self, expected: "object") }
        return KeyedDecodingContainer(JSONKeyedContainer(object, in: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch([JSONValue].self, expected: "array") }
        return JSONUnkeyedContainer(elements, in: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension JSONDecodingScope: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let bool = value.bool else { throw mismatch(type, expected: "boolean") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard let string = value.string else { throw mismatch(type, expected: "string") }
        return string
    }

    func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }
    func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == JSONValue.self, let value = value as? T {
            usage?.takesEverything = true
            return value
        }
        if type == URL.self, let url = try url() as? T { return url }
        return try T(from: self)
    }

    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard let number = value.number, number.isInteger else { throw mismatch(type, expected: "integer") }
        guard let integer = Integer(number.literal) else { throw invalid("number out of range") }
        return integer
    }

    private func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Number.Type
    ) throws -> Number {
        guard let number = value.number else { throw mismatch(type, expected: "number") }
        guard let value = Number(number.literal), value.isFinite else { throw invalid("number out of range") }
        return value
    }

    /// Decodes a URL from a string; Foundation's `URL(from:)` expects an object.
    private func url() throws -> URL {
        guard let url = URL(exactly: try decode(String.self)) else {
            throw invalid("not a URL")
        }
        return url
    }
}

extension Decoder {
    /// The JSON Pointer of the value and the handling of unknown names, if ``JSONValueDecoder`` decodes it.
    package var jsonPlace: (pointer: String, unknownNames: JSONValueDecoder.UnknownNames)? {
        (self as? JSONDecodingScope).map { ($0.path.pointer, $0.usage == nil ? .ignored : .refused) }
    }
}
