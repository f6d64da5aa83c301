extension String {
    /// Whether both strings have the same bytes.
    ///
    /// Swift's `==` treats canonically equivalent strings as equal (`"\u{212A}" == "K"`); protocols compare bytes.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && hasBytes(other.utf8)
    }

    /// The bytes in UTF-8. `Array(utf8)` copies them one by one.
    package var utf8Bytes: [UInt8] {
        var text = self
        return text.withUTF8 { Array($0) }
    }

    /// The text of UTF-8 bytes.
    ///
    /// Fails for bytes that are not UTF-8. `String(validating:as:)` begins with iOS 18 and macOS 15, and decodes each
    /// character by calls of generic code.
    @inlinable package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // What is not UTF-8 was replaced.
        guard hasBytes(bytes) else { return nil }
    }

    /// Whether the string has these bytes. All of them are compared, in one expression, for which the compiler takes many at
    /// once.
    @inlinable package func hasBytes(_ bytes: some Collection<UInt8>) -> Bool {
        var text = self
        return text.withUTF8 { own in
            let fast = bytes.withContiguousStorageIfAvailable { others in
                guard own.count == others.count else { return false }
                var difference: UInt8 = 0
                for position in own.indices { difference |= own[position] ^ others[position] }
                return difference == 0
            }
            return fast ?? own.elementsEqual(bytes)
        }
    }

    /// Whether every byte is ASCII from `first` to the tilde, or `other`.
    /// All of them are looked at, in one expression, for which the compiler takes many at once.
    package func isASCII(from first: UInt8, or other: UInt8 = 0x7E) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            var found: UInt8 = 0
            for byte in bytes { found |= (byte &- first > 0x7E - first ? 1 : 0) & (byte != other ? 1 : 0) }
            return found == 0
        }
    }

    /// The string with A–Z in lower case and every other byte unchanged.
    ///
    /// `lowercased()` maps some other characters to ASCII (`"\u{212A}"` becomes `"k"`), so look-alikes would become
    /// equal.
    package var lowercasedASCII: String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let bytes = utf8Bytes
        guard bytes.contains(where: capitals.contains) else { return self }
        return String(decoding: bytes.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

/// A dictionary key that compares the bytes of its name.
package struct ExactName: Hashable, Sendable {
    /// The name.
    package let text: String

    /// Makes the key for `text`.
    package init(_ text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
