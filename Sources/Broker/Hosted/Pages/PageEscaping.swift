import Mustache

/// How values get into the markup of a hosted page, in text and in quoted attributes alike.
///
/// The library's own HTML escaping compares `Character`s, so a quotation mark followed by a combining mark is none to
/// it and would end an attribute; this one works on scalars. It also leaves out what a name has no honest use for:
/// control characters, and those that turn the direction of the text after them. Isolates stay: they end with their
/// element at the latest.
struct PageEscaping: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !Self.isLeftOut(scalar) {
            if let reference = Self.references[scalar] {
                result.append(contentsOf: reference.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The pragma that makes a template use this escaping; a partial starts with the library's own again.
    static let pragma: String = {
        MustacheContentTypes.register(PageEscaping(), named: "hosted-page")
        return "{{%CONTENT_TYPE:hosted-page}}"
    }()

    private static let references: [Unicode.Scalar: String] = [
        "<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;", "`": "&#96;",
    ]

    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066, 0x2067, 0xFFFE, 0xFFFF: true
        default: false
        }
    }
}

extension String {
    /// The text as markup, in text and in quoted attributes.
    package var escapedForMarkup: String { PageEscaping().escapeText(self) }
}
