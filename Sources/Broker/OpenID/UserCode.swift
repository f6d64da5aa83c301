import Crypto

/// The code that a device shows and a user enters elsewhere (RFC 8628 §6.1): eight consonants, which spell no words and
/// are hard to take for each other.
/// 34 bits for ten minutes.
package struct UserCode: Sendable, Hashable {
    private let letters: [UInt8]

    /// As it is shown: `BCDF-GHJK`.
    package var text: String {
        String(decoding: letters[..<4] + [UInt8(ascii: "-")] + letters[4...], as: UTF8.self)
    }

    /// Reads the entered text: either case, with any blanks and dashes.
    ///
    /// - Returns: `nil` for text that cannot be a code.
    package init?(typed text: String) {
        var letters: [UInt8] = []
        for scalar in text.unicodeScalars where !Self.isIgnored(scalar) {
            guard scalar.isASCII, letters.count < Self.length else { return nil }
            // Upper case.
            let letter = UInt8(scalar.value) & ~0x20
            guard Self.alphabet.contains(letter) else { return nil }
            letters.append(letter)
        }
        guard letters.count == Self.length else { return nil }
        self.letters = letters
    }

    private init(_ letters: [UInt8]) {
        self.letters = letters
    }

    /// A new one, from the system's generator.
    package static func draw() -> UserCode {
        var letters: [UInt8] = []
        while letters.count < length {
            // Bytes above the last whole multiple of the alphabet would favour its first letters.
            for byte in SymmetricKey(size: .bits256).withUnsafeBytes({ Array($0) })
            where byte < 240 && letters.count < length {
                letters.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return UserCode(letters)
    }

    private static let length = 8
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)

    /// Blanks, and the dashes that keyboards make of a hyphen.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\u{A0}", "-", "\u{2010}"..."\u{2015}", "\u{2212}": true
        default: false
        }
    }
}
