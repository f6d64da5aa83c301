import ProviderKit

/// The URL of a user's picture. It is data: records have it byte for byte, or not at all. Tokens have ``claim``.
package struct PictureURL: Sendable, Equatable {
    /// The requirement on a picture URL, for errors.
    package static let rule =
        "must be an http or https URL with a host, of at most 2048 bytes and without control characters"

    package let text: String
    private let scheme: String

    private static let schemes = ["https://", "http://"]

    /// `nil` unless it is as ``rule`` says.
    package init?(_ text: String?) {
        guard let text, text.utf8.count <= 2048,
            text.isASCII(from: 0x20) || !text.unicodeScalars.contains(where: Self.isControl)
        else { return nil }
        // Only control characters become another character of a scheme.
        let scheme = Self.schemes.first { $0.utf8.elementsEqual(text.utf8.prefix($0.utf8.count)) { $0 == $1 | 0x20 } }
        guard let scheme else { return nil }
        let authority = text.utf8.dropFirst(scheme.utf8.count).prefix { !Self.endsAuthority($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
        guard let first = host.first, first != UInt8(ascii: ":") else { return nil }
        (self.text, self.scheme) = (text, scheme)
    }

    /// The text for tokens; nil unless it is an https URL without a user name, in the characters of URLs. Apps put a claim
    /// into pages, where another character could end the attribute around it.
    package var claim: String? {
        let authority = text.utf8.dropFirst(scheme.utf8.count).prefix { !Self.endsAuthority($0) }
        guard scheme == "https://", !authority.contains(UInt8(ascii: "@")),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.isDelimiter($0) })
        else { return nil }
        return text
    }

    /// C0, DELETE and C1.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
        default: false
        }
    }

    /// No URL contains them (RFC 3986 §2); in markup and scripts they end one.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}
