/// A recursive parser of one document (RFC 8259).
///
/// It recurses once per level of nesting, up to ``JSONLimits/deepest``.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    private var offset = 0

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

    private func malformed(_ reason: String) -> JSONParseError {
        JSONParseError(kind: .malformed, offset: offset, reason: reason)
    }

    /// Reads a string; the offset is at its opening quote.
    private mutating func parseString() throws(JSONParseError) -> String {
        offset += 1
        let start = offset
        let isASCII = try skipPlainText()
        if bytes[offset] == UInt8(ascii: "\"") {
            let text = bytes[start..<offset]
            let string = try isASCII ? String(decoding: text, as: UTF8.self) : string(text, at: start)
            offset += 1
            return string
        }
        var unescaped = Array(bytes[start..<offset])
        while bytes[offset] != UInt8(ascii: "\"") {
            try parseEscape(into: &unescaped)
            let run = offset
            _ = try skipPlainText()
            unescaped += bytes[run..<offset]
        }
        offset += 1
        return try string(unescaped[...], at: start)
    }

    /// Skips to the next quote or backslash.
    ///
    /// - Returns: Whether all skipped bytes are ASCII, which needs no validation.
    private mutating func skipPlainText() throws(JSONParseError) -> Bool {
        var seen: UInt64 = 0
        while let word = plainWord() {
            seen |= word
            offset += 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return seen & 0x8080_8080_8080_8080 == 0
            case ..<0x20: throw malformed("control character in a string")
            default: seen |= UInt64(byte)
            }
            offset += 1
        }
        throw malformed("unexpected end of the document in a string")
    }

    /// The next eight bytes, if there are so many and none of them has to be looked at.
    private func plainWord() -> UInt64? {
        guard offset + 8 <= bytes.count else { return nil }
        let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        return JSONValue.isSpecial(anyOf: word) ? nil : word
    }

    private func string(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONParseError) -> String {
        guard let string = String(utf8: bytes) else {
            throw JSONParseError(kind: .invalidUTF8, offset: start, reason: "string that is not UTF-8")
        }
        return string
    }

    /// Reads one escape sequence; the offset is at its backslash.
    private mutating func parseEscape(into unescaped: inout [UInt8]) throws(JSONParseError) {
        guard offset + 1 < bytes.count else { throw malformed("unexpected end of the document in a string") }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(bytes[offset + 1])
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            unescaped += UTF8.encode(try parseUnicodeEscape()) ?? UTF8.encodedReplacementCharacter
            return
        default: throw malformed("unknown escape sequence")
        }
        offset += 2
    }

    /// Reads `\uXXXX`, or a surrogate pair of two (RFC 8259 §7).
    private mutating func parseUnicodeEscape() throws(JSONParseError) -> Unicode.Scalar {
        let start = offset
        let unit = try parseCodeUnit()
        if unit == 0 {
            guard limits.replacesNUL else {
                throw JSONParseError(kind: .nul, offset: start, reason: "U+0000 in a string")
            }
            return "\u{FFFD}"
        }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let isLeading = UTF16.isLeadSurrogate(unit)
        if isLeading, bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            let trail = try parseCodeUnit()
            let isPair = UTF16.isTrailSurrogate(trail)
            let value = 0x10000 + UInt32(unit - 0xD800) << 10 + UInt32(trail &- 0xDC00)
            if isPair, let scalar = Unicode.Scalar(value) { return scalar }
        }
        throw JSONParseError(kind: .loneSurrogate, offset: start, reason: "half of a surrogate pair")
    }

    /// Reads the four digits of `\uXXXX`; the offset is at its backslash.
    private mutating func parseCodeUnit() throws(JSONParseError) -> UInt16 {
        guard offset + 6 <= bytes.count else { throw malformed("unexpected end of the document in a string") }
        var unit: UInt16 = 0
        for digit in bytes[offset + 2..<offset + 6] {
            guard let value = Hexadecimal.value(of: digit) else {
                throw malformed("escape sequence without four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(value)
        }
        offset += 6
        return unit
    }

    /// Reads a number (RFC 8259 §6); the offset is at its first character.
    private mutating func parseNumber() throws(JSONParseError) -> JSONNumber {
        let start = offset
        var isInteger = true
        if peek() == UInt8(ascii: "-") { offset += 1 }
        if peek() == UInt8(ascii: "0") {
            offset += 1
            if isDigit(peek()) { throw malformed("number with a leading zero") }
        } else {
            try skipDigits()
        }
        if peek() == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try skipDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
        return JSONNumber(checked: String(decoding: bytes[start..<offset], as: UTF8.self), isInteger: isInteger)
    }

    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private mutating func skipDigits() throws(JSONParseError) {
        guard isDigit(peek()) else { throw malformed("number without a digit where one must be") }
        while isDigit(peek()) { offset += 1 }
    }
}
