extension String {
    /// Whether both strings have the same bytes.
    ///
    /// Swift's `==` treats canonically equivalent strings as equal (`"\u{212A}" == "K"`); protocols compare bytes.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let fast = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
        }
        return (fast ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// The text of UTF-8 bytes, as `String(validating:as:)`, which begins with iOS 18 and macOS 15, reads it.
    ///
    /// Fails for bytes that are not UTF-8.
    @inlinable package init?(utf8 bytes: some Collection<UInt8>) {
        if #available(iOS 18, macOS 15, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(comparing: bytes)
        }
    }

    /// The same without the standard library's check: what is not UTF-8 is replaced, and so differs.
    @usableFromInline package init?(comparing bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }

    /// The string with A–Z in lower case and every other byte unchanged.
    ///
    /// `lowercased()` maps some other characters to ASCII (`"\u{212A}"` becomes `"k"`), so look-alikes would become
    /// equal.
    package var lowercasedASCII: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
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
