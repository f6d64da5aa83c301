import ProviderKit

/// The colours of a provider's button, as the provider's brand rules ask for.
package struct ButtonColors: Sendable, Hashable {
    let background, foreground: SRGBColor

    /// The contrast that text needs (WCAG 2.2, 1.4.3).
    static let contrast = 4.5

    var isReadable: Bool { foreground.contrast(to: background) >= Self.contrast }

    /// How documents have them.
    struct Shape: DeclaredOptions {
        var background = ""
        var foreground = ""

        static let declaration = DeclaredObject<Shape>(
            "The colours of a button.",
            [
                .key("background", \.background, "the colour of the button").required().narrowed(by: color)
                    .example("#5865f2"),
                .key("foreground", \.foreground, "the colour of its text and letter").required().narrowed(by: color)
                    .example("#ffffff"),
            ])

        static let color: JSONObject = ["pattern": "^#[0-9A-Fa-f]{6}$"]
    }
}
