import OAuth

/// The rules of a user's public id.
package enum LocalID {
    /// A new id: 28 random characters [A-Za-z0-9].
    package static func generate() -> String { RandomText.alphanumeric(28) }

    /// Whether an id that a backend chose is usable: 1 to 128 printable characters.
    package static func isUsable(_ text: String) -> Bool {
        (1...128).contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(isPrintable)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
