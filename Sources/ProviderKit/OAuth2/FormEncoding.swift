import StrictJSON

/// The `application/x-www-form-urlencoded` format, as OAuth 2 uses it for bodies and queries (RFC 6749 appendix B).
///
/// Foundation's `URLComponents` does not encode `+` and other delimiters, so a value could change its meaning.
public enum FormEncoding {
    /// One name or value with everything but unreserved characters percent-encoded.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, to: &bytes, isUppercase: true)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All pairs, joined with `&`, in order.
    public static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// The pairs of a form, in order; empty pairs are skipped (SDKs send a leading `&`).
    ///
    /// - Returns: `nil` when an escape is malformed, or the text is not UTF-8 or has U+0000, which PostgreSQL does not store.
    @inlinable public static func decode(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
        decode(bytes: Array(bytes))
    }

    @usableFromInline static func decode(bytes: [UInt8]) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let pair = rest[..<(rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex)]
            rest = rest[pair.endIndex...].dropFirst()
            guard !pair.isEmpty else { continue }
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = unescape(pair[..<equals]), let value = unescape(pair[equals...].dropFirst()) else {
                return nil
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func unescape(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let bytes = decoded(bytes), !bytes.contains(0) else { return nil }
        return String(utf8: bytes)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // All bytes are looked at, in one expression, for which the compiler takes many at once.
        var escapes: UInt8 = 0
        for byte in bytes {
            escapes |= (byte == UInt8(ascii: "%") ? 1 : 0) | (byte == UInt8(ascii: "+") ? 1 : 0)
        }
        guard escapes != 0 else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(Hexadecimal.value),
                    let low = rest.next().flatMap(Hexadecimal.value)
                else { return nil }
                result.append(high << 4 | low)
            default: result.append(byte)
            }
        }
        return result[...]
    }
}
