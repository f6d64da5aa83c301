import Broker
import Testing

@Suite("the accent colour")
struct AccentTests {
    /// Values of the design reference: fill, on-fill, hover, text, tint.
    private static let derived: [(accent: String, light: String, dark: String)] = [
        ("#1f6f54", "#1f6f54 #ffffff #066146 #1f6f54 #e1f6ec", "#2c795e #ffffff #196a50 #6db99a #0b3224"),
        ("#e8590c", "#e8590c #16191d #fa6a28 #bc4604 #ffebe4", "#e8590c #16191d #fa6a28 #ff8555 #3f2116"),
        ("#0b57d0", "#0b57d0 #ffffff #0049b9 #0b57d0 #e8f1ff", "#1d65e0 #ffffff #0855cf #77a9fe #1b2a43"),
        ("#3a55d9", "#3a55d9 #ffffff #2e45c8 #3a55d9 #eaf0ff", "#415fe3 #ffffff #354fd2 #87a5ff #202943"),
        ("#000000", "#000000 #ffffff #000000 #000000 #f0f0f0", "#6c6c6c #ffffff #5e5e5e #a8a8a8 #2a2a2a"),
        ("#7c3aed", "#7c3aed #ffffff #6f24db #7c3aed #f0eeff", "#8242f4 #ffffff #742ee2 #af98fd #2b2541"),
        ("#d6336c", "#d6336c #ffffff #c41d5e #cb2663 #ffeaee", "#d6336c #ffffff #c41d5e #fd7f9f #3f1f27"),
    ]

    @Test(arguments: derived)
    func `the colours that follow are those of the reference`(accent: String, light: String, dark: String) throws {
        let color = try #require(SRGBColor(hex: accent))

        try Self.expect(Accent(color, on: .light), light)
        try Self.expect(Accent(color, on: .dark), dark)
    }

    private static func expect(_ accent: Accent, _ expected: String) throws {
        let colors = [accent.fill, accent.onFill, accent.hover, accent.text, accent.tint]
        for (color, hex) in zip(colors, expected.split(separator: " ")) {
            let (found, wanted) = (try channels(color.hex), try channels(String(hex)))
            // The reference rounds in another arithmetic.
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(color.hex) for \(hex)")
        }
    }

    private static func channels(_ hex: String) throws -> [Int] {
        let digits = Array(hex.dropFirst())
        return try [0, 2, 4].map { try #require(Int(String(digits[$0...($0 + 1)]), radix: 16)) }
    }

    @Test(arguments: [
        ("#f5c400", "#ad8b0b"), ("#ffffff", "#8f8f8f"), ("#808080", "#818181"), ("#00aa55", "#0da453"),
        ("#03c75a", "#0aa44a"), ("#00ffff", "#029f9f"), ("#ff0000", "#ff170f"),
    ])
    func `a colour that is not readable on white has a nearest that is`(accent: String, nearest: String) throws {
        let color = try #require(SRGBColor(hex: accent))
        let readable = try #require(Accent.readable(insteadOf: color, on: .light))

        #expect(readable.hex == nearest)
        #expect(Accent.readable(insteadOf: readable, on: .light) == nil)
    }

    @Test func `every pair that follows from any accent is readable`() throws {
        var random = SeededGenerator(seed: 32)
        for _ in 0..<200 {
            let color = SRGBColor(
                .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
                .random(in: 0...255, using: &random))
            for (grounds, surface, least) in [(PageGrounds.light, "#ffffff", 4.5), (.dark, "#16191d", 6)] {
                let accent = Accent(color, on: grounds)
                let ground = try #require(SRGBColor(hex: surface))

                #expect(accent.onFill.contrast(to: accent.fill) >= 4.5, "\(color.hex)")
                #expect(accent.fill.contrast(to: ground) >= 3, "\(color.hex)")
                #expect(accent.text.contrast(to: ground) >= least, "\(color.hex)")
                #expect(accent.text.contrast(to: accent.tint) >= least, "\(color.hex)")
            }
        }
    }

    @Test(arguments: ["", "1f6f54", "#1f6f5", "#1f6f544", "#1f6f5g", "#é1f6f5", "red", "#fff"])
    func `what is not six hexadecimal digits is no colour`(text: String) {
        #expect(SRGBColor(hex: text) == nil)
    }
}
