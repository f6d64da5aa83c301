/// Random identifiers and secrets; `SystemRandomNumberGenerator` is the machine's cryptographic source.
enum RandomText {
    static func hex(_ count: Int) -> String { text(count, of: "0123456789abcdef") }

    static func alphanumeric(_ count: Int) -> String {
        text(count, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    /// Capital letters and digits.
    static func capital(_ count: Int) -> String { text(count, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") }

    static func digits(_ count: Int) -> String { text(count, of: "0123456789") }

    /// Letters and digits that are not mistaken for one another, for users to type.
    static func typable(_ count: Int) -> String { text(count, of: "BCDFGHJKLMNPQRSTVWXZ23456789") }

    private static func text(_ count: Int, of alphabet: String) -> String {
        let alphabet = Array(alphabet)
        return String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }
}

extension String {
    /// Whether every byte is ASCII. Beyond ASCII, texts with different bytes can be equal (the Kelvin sign equals `K`),
    /// so secrets are looked up only after this.
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Whether this is `other`, byte by byte.
    func hasSameBytes(as other: String?) -> Bool { other.map { utf8.elementsEqual($0.utf8) } ?? false }
}
