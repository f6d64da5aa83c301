/// Two hexadecimal digits for each byte (RFC 4648 §8).
package enum Hexadecimal {
    /// The encoding of `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>, isUppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes { append(byte, to: &text, isUppercase: isUppercase) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the two digits of a byte, in ASCII.
    package static func append(_ byte: UInt8, to text: inout [UInt8], isUppercase: Bool = false) {
        let letters = isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
        text.append(digit(byte >> 4, letters))
        text.append(digit(byte & 15, letters))
    }

    private static func digit(_ value: UInt8, _ letters: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : letters + value - 10
    }

    /// The bytes that digits of either case encode; `nil` for anything else.
    package static func decode(_ digits: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// The value of a digit of either case; `nil` for any other byte.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
