/// Base64 with the URL alphabet and without padding (RFC 4648 §5, RFC 7515 §2): one encoding for each byte sequence.
package enum Base64URL {
    /// The encoding of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        let length = length(of: bytes)
        return String(unsafeUninitializedCapacity: length) { text in
            bytes.withUnsafeBufferPointer { encode($0, into: text) }
            return length
        }
    }

    private static func length(of bytes: [UInt8]) -> Int { (bytes.count * 4 + 2) / 3 }

    /// Appends the encoding of `bytes`, in ASCII.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let length = length(of: bytes)
        text.reserveCapacity(text.count + length)
        text.append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                bytes.withUnsafeBufferPointer { encode($0, into: buffer) }
                count = length
            })
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) {
        var (position, written) = (0, 0)
        while position + 2 < bytes.count {
            let group = UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2])
            text[written] = letter(group >> 18)
            text[written + 1] = letter(group >> 12)
            text[written + 2] = letter(group >> 6)
            text[written + 3] = letter(group)
            (position, written) = (position + 3, written + 4)
        }
        guard position < bytes.count else { return }
        let hasTwo = position + 1 < bytes.count
        let group = UInt32(bytes[position]) << 16 | (hasTwo ? UInt32(bytes[position + 1]) << 8 : 0)
        text[written] = letter(group >> 18)
        text[written + 1] = letter(group >> 12)
        if hasTwo { text[written + 2] = letter(group >> 6) }
    }

    /// The bytes that `text` encodes, or nil when it is not their canonical encoding: padding, white space, characters
    /// of other alphabets and non-zero trailing bits are refused.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { decode(letters: Array(text)) }

    /// The bytes that `text` encodes, or nil when it is not their canonical encoding.
    package static func decode(_ text: String) -> [UInt8]? { decode(letters: Array(text.utf8)) }

    private static func decode(letters: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3 + 2)
        var group: UInt32 = 0
        var length = 0
        // The bits of all values: what is no letter has the highest one.
        var seen: UInt8 = 0
        for letter in letters {
            let value = values[Int(letter)]
            seen |= value
            group = group << 6 | UInt32(value)
            length += 1
            guard length == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
            (group, length) = (0, 0)
        }
        guard seen < 0x80 else { return nil }
        switch length {
        case 0: break
        case 2 where group & 0xF == 0: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3 where group & 0x3 == 0:
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default: return nil
        }
        return bytes
    }

    private static func letter(_ bits: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 0x3F)
        return switch value {
        case 0..<26: value + UInt8(ascii: "A")
        case 26..<52: value - 26 + UInt8(ascii: "a")
        case 52..<62: value - 52 + UInt8(ascii: "0")
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    /// The six bits of each letter, by its byte; 0xFF for what is none.
    private static let values: [UInt8] = (0..<64).reduce(into: Array(repeating: 0xFF, count: 256)) { values, bits in
        values[Int(letter(bits))] = UInt8(bits)
    }
}
