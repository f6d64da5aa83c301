/// Scopes in the order of a `scope` parameter or claim (RFC 6749 §3.3).
package struct ScopeList: Sendable {
    /// The scopes, byte for byte.
    package let scopes: [String]

    /// The scopes of a text that was checked before, or in which an unknown name means nothing.
    package init(_ text: String) {
        scopes = Self.split(text, UInt8(ascii: " "))
    }

    package init(_ scopes: [String]) {
        self.scopes = scopes
    }

    /// Reads a list; `nil` when it has anything but scopes. Empty ones are skipped.
    ///
    /// - Parameters:
    ///   - text: The list.
    ///   - separator: The ASCII character between two scopes.
    package init?(checking text: String, separator: UInt8 = UInt8(ascii: " ")) {
        let scopes = Self.split(text, separator)
        guard scopes.allSatisfy(Self.isScope) else { return nil }
        self.scopes = scopes
    }

    private static func split(_ text: String, _ separator: UInt8) -> [String] {
        text.utf8.split(separator: separator).map { String(Substring($0)) }
    }

    /// The list with a space between two scopes.
    package var text: String { scopes.joined(separator: " ") }

    /// Whether the text is a `scope-token`.
    package static func isScope(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}
