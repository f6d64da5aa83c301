/// The fields of a query or an `application/x-www-form-urlencoded` body, in order (WHATWG URL §5).
struct FormFields: Sendable, Equatable {
    /// A text that is not form-encoded: a stray percent sign, or bytes that are not UTF-8.
    struct Malformed: Error {}

    private(set) var pairs: [Pair] = []

    struct Pair: Sendable, Equatable {
        let name: String
        let value: String
    }

    init(_ pairs: KeyValuePairs<String, String?>) {
        self.pairs = pairs.compactMap { name, value in value.map { Pair(name: name, value: $0) } }
    }

    init(decoding text: String) throws(Malformed) {
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count > 1 ? halves[1] : Substring().utf8
            pairs.append(Pair(name: try Self.decode(halves[0]), value: try Self.decode(value)))
        }
    }

    /// The value of a field; the last one where it is repeated, as Rails has it.
    subscript(name: String) -> String? {
        pairs.last { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Every value of a repeated field.
    func all(_ name: String) -> [String] {
        pairs.filter { $0.name.hasSameBytes(as: name) }.map(\.value)
    }

    /// These fields followed by `others`, which therefore win.
    func overridden(by others: FormFields) -> FormFields {
        var merged = self
        merged.pairs += others.pairs
        return merged
    }

    mutating func append(_ name: String, _ value: String) {
        pairs.append(Pair(name: name, value: value))
    }

    /// The fields as text: spaces as plus signs, everything but unreserved characters percent-encoded.
    var encoded: String {
        pairs.map { Self.encode($0.name) + "=" + Self.encode($0.value) }.joined(separator: "&")
    }

    private static func decode(_ text: Substring.UTF8View) throws(Malformed) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
                    throw Malformed()
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
        return decoded
    }

    private static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): encoded += "+"
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
