/// A recursive parser of one document (RFC 8259).
///
/// It recurses once per level of nesting, up to ``JSONLimits/deepest``.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var offset = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parseDocument() throws(JSONParseError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw malformed("byte order mark") }
        let value = try parseValue(depth: 0)
        guard skipToToken() == nil else { throw malformed("text after the end of the document") }
        return value
    }

    private mutating func parseValue(depth: Int) throws(JSONParseError) -> JSONValue {
        guard let byte = skipToToken() else { throw malformed("unexpected end of the document") }
        switch byte {
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try parseArray(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        case UInt8(ascii: "t"): return try parse("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse("null", as: .null)
        default: throw malformed("unexpected character where a value should start")
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONParseError) -> JSONObject {
        try open(depth: depth)
        var object = JSONObject()
        if skip(UInt8(ascii: "}")) { return object }
        repeat {
            guard skipToToken() == UInt8(ascii: "\"") else { throw malformed("expected a name in double quotes") }
            let start = offset
            let name = try parseString()
            guard skip(UInt8(ascii: ":")) else { throw malformed("expected ':' after a name") }
            guard object.insert(name, try parseValue(depth: depth)) else {
                throw JSONParseError(
                    kind: .duplicateName, offset: start, reason: "second member with the same name")
            }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw malformed("expected ',' or '}' after a member") }
        return object
    }

    private mutating func parseArray(depth: Int) throws(JSONParseError) -> [JSONValue] {
        try open(depth: depth)
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try parseValue(depth: depth))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw malformed("expected ',' or ']' after an element") }
        return elements
    }

    private mutating func open(depth: Int) throws(JSONParseError) {
        guard depth <= limits.maximumDepth else {
            throw JSONParseError(
                kind: .tooDeep, offset: offset, reason: "more than \(limits.maximumDepth) levels of nesting")
        }
        offset += 1
    }

    private mutating func parse(_ literal: StaticString, as value: JSONValue) throws(JSONParseError) -> JSONValue {
        let isSame = literal.withUTF8Buffer { bytes[offset...].starts(with: $0) }
        guard isSame else { throw malformed("expected true, false or null") }
        offset += literal.utf8CodeUnitCount
        return value
    }

    /// Skips white space.
    ///
    /// - Returns: The byte after it, or nil at the end of the document.
    private mutating func skipToToken() -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Skips white space and then `byte`, if it comes next.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard skipToToken() == byte else { return false }
        offset += 1
        return true
    }

    func malformed(_ reason: String) -> JSONParseError {
        JSONParseError(kind: .malformed, offset: offset, reason: reason)
    }
}
