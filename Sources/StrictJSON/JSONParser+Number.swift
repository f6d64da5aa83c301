extension JSONParser {
    /// Reads a number (RFC 8259 §6); the offset is at its first character.
    mutating func parseNumber() throws(JSONParseError) -> JSONNumber {
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
