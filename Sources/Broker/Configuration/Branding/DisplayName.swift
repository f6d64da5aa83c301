import Foundation

/// The name of a site or of an app, as an operator wrote it for its users.
enum DisplayName {
    /// Whether a text is one: 1 to 100 characters on one line, in any script.
    static func isOne(_ text: String) -> Bool {
        let isOneLine = text.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        return isOneLine && (1...100).contains(text.unicodeScalars.count)
            && !text.trimmingCharacters(in: .whitespaces).isEmpty
    }
}
