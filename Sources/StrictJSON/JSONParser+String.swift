extension JSONParser {
    /// Reads a string; the offset is at its opening quote.
    mutating func parseString() throws(JSONParseError) -> String {
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
        var seen: UInt8 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return seen < 0x80
            case ..<0x20: throw malformed("control character in a string")
            default: seen |= byte
            }
            offset += 1
        }
        throw malformed("unexpected end of the document in a string")
    }

    private func string(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONParseError) -> String {
        guard let string = String(validating: bytes, as: UTF8.self) else {
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
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else {
                throw malformed("escape sequence without four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(value)
        }
        offset += 6
        return unit
    }
}
