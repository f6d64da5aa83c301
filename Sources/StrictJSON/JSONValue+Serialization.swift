extension JSONValue {
    /// The document without white space. Parsing it returns an equal value.
    public func serialized() -> String { String(decoding: serializedBytes(), as: UTF8.self) }

    /// The same in UTF-8.
    package func serializedBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(JSONObjectWriter.ordinaryCapacity)
        append(to: &bytes)
        return bytes
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
        var string = string
        string.withUTF8 { text in
            guard !isPlain(text) else { return append(plain: text, to: &bytes) }
            bytes.append(UInt8(ascii: "\""))
            var rest = text[...]
            while let position = rest.firstIndex(where: isSpecial) {
                bytes.append(contentsOf: rest[..<position])
                append(escaping: rest[position], to: &bytes)
                rest = rest[(position + 1)...]
            }
            bytes.append(contentsOf: rest)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a text of which no byte needs an escape, with its quotation marks.
    static func append(plain text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: text.count + 2) { output in
            output.append(UInt8(ascii: "\""))
            output.withUnsafeMutableBufferPointer { output, count in
                count = output[count...].initialize(fromContentsOf: text)
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Whether no byte needs an escape.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        guard bytes.count >= 8 else { return !bytes.contains(where: isSpecial) }
        for offset in stride(from: 0, to: bytes.count - 8, by: 8)
        where isSpecial(anyOf: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) {
            return false
        }
        return !isSpecial(anyOf: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    }

    /// Whether a byte stands for itself in no string.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether that is true of any of eight bytes. A byte is below `n` where its difference to it has borrowed, and zero where
    /// it is below one.
    static func isSpecial(anyOf bytes: UInt64) -> Bool {
        func isBelow(_ limit: UInt8, _ bytes: UInt64) -> UInt64 {
            (bytes &- each &* UInt64(limit)) & ~bytes
        }
        let each: UInt64 = 0x0101_0101_0101_0101
        let quotationMark = bytes ^ each &* UInt64(UInt8(ascii: "\""))
        let backslash = bytes ^ each &* UInt64(UInt8(ascii: "\\"))
        let found = isBelow(0x20, bytes) | isBelow(1, quotationMark) | isBelow(1, backslash)
        return found & (each &* 0x80) != 0
    }

    private static func append(escaping byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case ..<0x20:
            bytes += "u00".utf8
            Hexadecimal.append(byte, to: &bytes)
        default: bytes.append(byte)
        }
    }
}

extension JSONObject {
    /// The object without white space. Parsing it returns an equal object.
    public func serialized() -> String { JSONValue.object(self).serialized() }

    /// The same in UTF-8.
    package func serializedBytes() -> [UInt8] { JSONValue.object(self).serializedBytes() }

    /// Appends the object, without white space, in UTF-8.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for position in members.indices {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.append(members[position].name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            members[position].value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
