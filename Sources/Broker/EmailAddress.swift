import ProviderKit

/// An e-mail address with the form it is compared by.
///
/// The canonical form is the ASCII address with its letters in lower case. Nothing is mapped: no Unicode folding, no IDNA,
/// no dots or plus signs removed. Two addresses that differ to a mail server differ here. A provider that means an
/// international domain writes it as A-labels (RFC 5890 §2.3.2.1).
package struct EmailAddress: Sendable, Hashable {
    /// As the provider or client wrote it.
    package let value: String
    /// `nil` for addresses that are stored for display but match no user: a local part or domain beyond ASCII.
    package let canonical: String?

    /// The form in records and answers: the canonical one, or the original where there is none.
    package var display: String { canonical ?? value }

    /// `nil` unless it is 3 to 254 bytes, local part and domain around exactly one `@`, without quotes, comments, white
    /// space or control characters.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let at = bytes.indices.filter { bytes[$0] == UInt8(ascii: "@") }
        guard (3...254).contains(bytes.count), at.count == 1, let split = at.first, split > 0, split < bytes.count - 1,
            bytes.allSatisfy(Self.isPlain), Self.isDomain(bytes[(split + 1)...])
        else { return nil }
        // What is plain in ASCII is no control character, and nearly all addresses are ASCII.
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        guard isASCII || text.unicodeScalars.allSatisfy({ !Self.isControl($0) }) else { return nil }
        value = text
        canonical = isASCII ? text.lowercasedASCII : nil
    }

    /// Whether an address is an Apple relay address, made up for one app: other providers pass them on like real ones.
    static func isRelayDomain(of address: String) -> Bool {
        address.lowercasedASCII.utf8.suffix(relaySuffix.count).elementsEqual(relaySuffix)
    }

    private static let relaySuffix = Array("@privaterelay.appleid.com".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !specials.contains(byte)
    }

    private static let specials = Array(#""(),:;<>[\]"#.utf8)

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .surrogate, .unassigned, .privateUse].contains(scalar.properties.generalCategory)
            || scalar.properties.isWhitespace
    }

    /// Labels between dots. IDNA would map look-alikes such as `ﬁ` and `。` to other domains, so bytes beyond ASCII stay.
    private static func isDomain(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                && label.allSatisfy { $0 >= 0x80 || isHostByte($0) }
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
