import Foundation

/// An e-mail address with the form it is compared by.
///
/// Compared are only bytes the broker computed itself: ASCII letters lower-cased, an international domain as A-labels.
/// No Unicode folding, no dots or plus signs removed: two addresses that differ to a mail server differ here.
package struct EmailAddress: Sendable, Hashable {
    /// As the provider or client wrote it.
    package let value: String
    /// `nil` for addresses that are kept for display but never match anything (a non-ASCII local part).
    package let canonical: String?

    /// What records and answers show: the canonical form, or what was written when there is none.
    package var display: String { canonical ?? value }

    /// `nil` unless it is 3 to 254 bytes, local part and domain around exactly one `@`, without quotes, comments, white
    /// space or control characters.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let at = bytes.indices.filter { bytes[$0] == UInt8(ascii: "@") }
        guard (3...254).contains(bytes.count), at.count == 1, let split = at.first, split > 0, split < bytes.count - 1,
            bytes.allSatisfy(Self.isPlain), text.unicodeScalars.allSatisfy({ !Self.isControl($0) }),
            let domain = Self.canonicalDomain(bytes[(split + 1)...])
        else { return nil }
        value = text
        let local = bytes[..<split]
        let isASCII = local.allSatisfy { $0 < 0x80 }
        canonical = isASCII ? String(decoding: local.map(Self.lowercased), as: UTF8.self) + "@" + domain : nil
    }

    /// Whether an address is one of Apple's, made up for one app: other providers pass them on as if they were real.
    static func isRelayDomain(of address: String) -> Bool {
        address.lowercased().utf8.suffix(relaySuffix.count).elementsEqual(relaySuffix)
    }

    private static let relaySuffix = Array("@privaterelay.appleid.com".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        guard byte > 0x20, byte != 0x7F else { return false }
        return !Array(#""(),:;<>[\]"#.utf8).contains(byte)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .surrogate, .unassigned, .privateUse].contains(scalar.properties.generalCategory)
            || scalar.properties.isWhitespace
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The domain as lower-case A-labels (RFC 5891), or `nil` when it is no host name.
    private static func canonicalDomain(_ bytes: some Collection<UInt8>) -> String? {
        var domain = String(decoding: bytes, as: UTF8.self)
        // A delimiter of URLs would make the parser below see another domain.
        guard bytes.allSatisfy({ $0 >= 0x80 || isHostByte($0) }) else { return nil }
        if !bytes.allSatisfy({ $0 < 0x80 }) {
            // Foundation's URL parser applies IDNA; what it makes of a look-alike is then checked as any other domain.
            guard let url = URL(string: "https://\(domain)/"), url.path() == "/", url.query() == nil, url.port == nil,
                let host = url.host(percentEncoded: false)
            else { return nil }
            domain = host
        }
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return nil }
        return String(decoding: domain.utf8.map(lowercased), as: UTF8.self)
    }

    private static func isLabel(_ label: some Collection<UInt8>) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
            && label.allSatisfy { isHostByte($0) }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
