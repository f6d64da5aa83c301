/// The grounds of the pages in one mode, on which an accent has to be readable.
package struct PageGrounds: Sendable {
    /// For messages.
    package let name: String
    /// What an accent is compared with.
    fileprivate let all: [SRGBColor]
    /// The lightness of a tint, and its greatest chroma (Oklab).
    fileprivate let tint: (lightness: Double, chroma: Double)
    /// The least contrast of text in the accent's colour.
    fileprivate let textContrast: Double
    /// Readable on each ground.
    fileprivate let ink: SRGBColor

    package static let light = PageGrounds(
        name: "white", all: [Accent.white, SRGBColor(0xf6, 0xf7, 0xf9)], tint: (0.955, 0.025), textContrast: 4.5,
        ink: Accent.ink)

    package static let dark = PageGrounds(
        name: "dark pages", all: [Accent.ink, SRGBColor(0x0d, 0x0f, 0x12), SRGBColor(0x1e, 0x22, 0x27)],
        tint: (0.285, 0.05), textContrast: 6, ink: Accent.white)
}

/// The colours that follow from one accent on the grounds of one mode: what stands on what is readable.
package struct Accent: Sendable, Hashable {
    /// The main button and the text on it.
    package let fill, onFill: SRGBColor
    /// The main button under a pointer.
    package let hover: SRGBColor
    /// Links, and the ring around what has the focus.
    package let text: SRGBColor
    /// Behind a marked row.
    package let tint: SRGBColor

    /// Derives the colours of an accent in Oklab: the hue stays, and lightness gives way until a pair is readable.
    ///
    /// - Parameters:
    ///   - accent: The colour that the operator chose.
    ///   - grounds: The grounds.
    package init(_ accent: SRGBColor, on grounds: PageGrounds) {
        fill = Self.nearest(to: accent, grounds) { Self.isFill($0, grounds) }
        onFill = Self.text(on: fill)
        let hue = OklabColor(accent)
        let tint = hue.limited(toChroma: grounds.tint.chroma).color(atLightness: grounds.tint.lightness)
        self.tint = tint
        text = Self.nearest(to: accent, grounds) { color in
            (grounds.all + [tint]).allSatisfy { color.contrast(to: $0) >= grounds.textContrast }
        }
        let filled = OklabColor(fill)
        hover = filled.color(atLightness: filled.lightness + (onFill == Self.white ? -0.05 : 0.05))
    }

    /// The nearest colour that is readable as it is; nil where that is the accent itself.
    package static func readable(insteadOf accent: SRGBColor, on grounds: PageGrounds) -> SRGBColor? {
        isFill(accent, grounds) ? nil : nearest(to: accent, grounds) { isFill($0, grounds) }
    }

    fileprivate static let white = SRGBColor(0xff, 0xff, 0xff)
    fileprivate static let ink = SRGBColor(0x16, 0x19, 0x1d)

    private static func text(on fill: SRGBColor) -> SRGBColor { white.contrast(to: fill) >= 4.5 ? white : ink }

    /// Whether text is readable on a colour, and its edge is seen on the grounds.
    private static func isFill(_ color: SRGBColor, _ grounds: PageGrounds) -> Bool {
        color.contrast(to: text(on: color)) >= 4.5 && grounds.all.allSatisfy { color.contrast(to: $0) >= 3 }
    }

    /// The colour of the accent's hue that fits and is nearest in lightness, in steps of 0.005.
    private static func nearest(
        to accent: SRGBColor, _ grounds: PageGrounds, where fits: (SRGBColor) -> Bool
    ) -> SRGBColor {
        guard !fits(accent) else { return accent }
        let hue = OklabColor(accent)
        for step in 1..<200 {
            for sign in [-1.0, 1.0] {
                let lightness = hue.lightness + sign * Double(step) * 0.005
                guard lightness > 0.05, lightness < 0.98 else { continue }
                let color = hue.color(atLightness: lightness)
                if fits(color) { return color }
            }
        }
        return grounds.ink
    }
}
