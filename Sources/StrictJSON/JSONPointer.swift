/// A JSON Pointer (RFC 6901), such as `/response/id`, by which a configuration selects a value of a response.
public struct JSONPointer: Sendable, Hashable, Decodable, CustomStringConvertible {
    /// The reference tokens, unescaped; empty for the whole document.
    public let tokens: [String]

    /// Makes the pointer to the member or element at the end of `names`.
    public init(names: [String]) {
        tokens = names
    }

    /// Whether both lead to the same place, by the bytes of their names.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.elementsEqual(right.tokens) { $0.hasSameBytes(as: $1) }
    }

    /// Hashes the names.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.map(ExactName.init))
    }

    /// Parses a pointer's text form (RFC 6901 §3); `nil` when `text` is malformed.
    public init?(_ text: String) {
        // Bytes, not characters: a slash with a combining mark is another character.
        var tokens = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            Self.unescape(Array($0))
        }
        guard tokens.removeFirst() == .some([]) else { return nil }
        var names: [String] = []
        for token in tokens {
            guard let token else { return nil }
            names.append(String(decoding: token, as: UTF8.self))
        }
        self.tokens = names
    }

    /// Decodes a pointer from a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let pointer = JSONPointer(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a JSON Pointer (RFC 6901) such as /response/id")
        }
        self = pointer
    }

    /// The text form.
    public var description: String {
        tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    /// Unescapes `~1` to a slash and `~0` to a tilde, the only escapes (RFC 6901 §4).
    private static func unescape(_ token: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = token.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "~") else {
                result.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "0"): result.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): result.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return result
    }
}

extension JSONValue {
    /// The value at `pointer`; `nil` when there is none (RFC 6901 §4).
    public subscript(_ pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            guard let next = value.child(token) else { return nil }
            value = next
        }
        return value
    }

    private func child(_ token: String) -> JSONValue? {
        switch self {
        case .object(let members): return members[token]
        case .array(let elements):
            // No `?:` with nil here: nil would be the literal null.
            guard let position = Self.position(token), elements.indices.contains(position) else { return .none }
            return elements[position]
        case .null, .bool, .number, .string: return .none
        }
    }

    /// An array index: digits without a leading zero. `-` names the element after the last, which never exists.
    private static func position(_ token: String) -> Int? {
        guard let first = token.utf8.first, token.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            first != UInt8(ascii: "0") || token.utf8.count == 1
        else { return nil }
        return Int(token)
    }
}
