/// The https URL of a user's picture. Apps put it into pages, so nothing else gets into a record or a token: a URL that
/// breaks a rule is left out as a whole, never cut or repaired.
package struct PictureURL: Sendable, Equatable {
    package let text: String

    /// `nil` unless it is an absolute https URL of at most 2048 bytes in printable ASCII, with a host and without a user
    /// name.
    package init?(_ text: String?) {
        guard let text, text.utf8.count <= 2048 else { return nil }
        let bytes = Array(text.utf8)
        let scheme = bytes.prefix(Self.scheme.count)
        guard scheme.elementsEqual(Self.scheme, by: { $0 == $1 || $0 | 0x20 == $1 }) else { return nil }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && !Self.delimiters.contains($0) }) else { return nil }
        let authority = bytes.dropFirst(Self.scheme.count).prefix { !Self.ends.contains($0) }
        guard let first = authority.first, first != UInt8(ascii: ":"), !authority.contains(UInt8(ascii: "@")) else {
            return nil
        }
        self.text = text
    }

    private static let scheme = Array("https://".utf8)
    private static let ends = Set("/?#".utf8)
    /// No URL contains them (RFC 3986 §2); in markup and scripts they end one.
    private static let delimiters = Set(#""<>\^`{|}"#.utf8)
}
