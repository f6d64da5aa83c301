/// The text form of parameters, in queries and bodies (`application/x-www-form-urlencoded`, RFC 6749 appendix B).
enum FormText {
    /// All pairs in order, with everything but unreserved characters percent-encoded.
    static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// One name or value.
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The pairs by name; `nil` when a name occurs twice, an escape is malformed or the text is not UTF-8.
    static func decode(_ text: String) -> [String: String]? {
        var values: [String: String] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescape(halves[0]), let value = halves.count > 1 ? unescape(halves[1]) : "",
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return values
    }

    private static func unescape(_ bytes: some Collection<UInt8>) -> String? {
        var result: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                result.append(high << 4 | low)
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
