import ProviderKit

/// Base64 with the URL alphabet and without padding (RFC 4648 §5, RFC 7515 §2): one encoding for each byte sequence.
package enum Base64URL {
    /// The encoding of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        let length = length(of: bytes.count)
        return String(unsafeUninitializedCapacity: length) { text in
            bytes.withUnsafeBufferPointer { encode($0, into: text) }
            return length
        }
    }

    /// The length of the encoding of so many bytes.
    static func length(of count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Appends the encoding of `bytes`, in ASCII.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let length = length(of: bytes.count)
        text.append(addingCapacity: length) { output in
            output.withUnsafeMutableBufferPointer { output, count in
                bytes.withUnsafeBufferPointer { encode($0, into: .init(rebasing: output[count...])) }
                count += length
            }
        }
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
    @inlinable package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { decode(letters: Array(text)) }

    /// The bytes that `text` encodes, or nil when it is not their canonical encoding.
    package static func decode(_ text: String) -> [UInt8]? { decode(letters: text.utf8Bytes) }

    @usableFromInline static func decode(letters: [UInt8]) -> [UInt8]? {
        // The bits of all values: what is no letter has the highest one.
        var seen: UInt8 = 0
        var isCanonical = true
        let bytes = [UInt8](unsafeUninitializedCapacity: (letters.count + 3) / 4 * 3) { bytes, written in
            func value(_ position: Int) -> UInt32 {
                let value = values[Int(letters[position])]
                seen |= value
                return UInt32(value)
            }
            func write(_ bits: UInt32) {
                bytes[written] = UInt8(truncatingIfNeeded: bits)
                written += 1
            }
            var position = 0
            while position + 4 <= letters.count {
                let group =
                    value(position) << 18 | value(position + 1) << 12 | value(position + 2) << 6 | value(position + 3)
                write(group >> 16)
                write(group >> 8)
                write(group)
                position += 4
            }
            switch letters.count - position {
            case 0: break
            case 2:
                let group = value(position) << 6 | value(position + 1)
                isCanonical = group & 0xF == 0
                write(group >> 4)
            case 3:
                let group = value(position) << 12 | value(position + 1) << 6 | value(position + 2)
                isCanonical = group & 0x3 == 0
                write(group >> 10)
                write(group >> 2)
            default: isCanonical = false
            }
        }
        return isCanonical && seen < 0x80 ? bytes : nil
    }

    private static func letter(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 0x3F)] }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The six bits of each letter, by its byte; 0xFF for what is none.
    private static let values: [UInt8] = alphabet.enumerated().reduce(into: Array(repeating: 0xFF, count: 256)) {
        $0[Int($1.element)] = UInt8($1.offset)
    }
}
