import Foundation
import Testing

@testable import Broker

@Suite("style sheets of the hosted pages and of the console")
struct StyleSheetTests {
    /// Foreground, background, and the least contrast: 4.5 for text of any size, 3 for the edges of controls and the ring
    /// around the focus (WCAG 2.2, 1.4.3 and 1.4.11).
    private static let pairs: [(foreground: String, background: String, least: Double)] = {
        let texts = [
            "ink": ["canvas", "surface", "raised", "inset", "chosen"], "soft": ["canvas", "surface", "inset"],
            "on-accent": ["accent", "accent-hover"], "accent-text": ["surface", "canvas", "raised", "accent-tint"],
            "on-danger": ["danger", "danger-hover"], "danger-text": ["surface", "raised", "inset"],
            "danger-ink": ["danger-tint"], "good-text": ["surface"], "good-ink": ["good-tint"],
            "warn-text": ["surface"], "warn-ink": ["warn-tint"], "on-apple": ["apple"], "on-github": ["github"],
        ]
        let edges = [
            "edge": ["canvas", "surface", "inset"], "accent": ["surface", "canvas"], "danger": ["surface"],
            "accent-text": ["surface", "canvas"], "apple": ["surface"], "github": ["surface"],
            "completed": ["surface"], "failed": ["surface"],
        ]
        return texts.flatMap { text, grounds in grounds.map { (text, $0, 4.5) } }
            + edges.flatMap { edge, grounds in grounds.map { (edge, $0, 3) } }
    }()

    @Test(arguments: [false, true])
    func `has contrast enough to be read`(isDark: Bool) throws {
        let colours = try Self.colours(isDark: isDark)

        for (foreground, background, least) in Self.pairs {
            let ratio = try Self.contrast(
                try #require(colours[foreground], "\(foreground)"), try #require(colours[background], "\(background)"))
            #expect(ratio >= least, "\(foreground) on \(background): \(ratio)")
        }
    }

    private static let sheets = [StyleSheet.text, ConsoleStyle.text]

    @Test(arguments: sheets)
    func `names every colour once, for light and for dark`(sheet: String) throws {
        let (light, dark) = (try Self.colours(isDark: false), try Self.colours(isDark: true))

        #expect(Set(light.keys) == Set(dark.keys))
        let used = Set(sheet.matches(of: /var\(--([a-z-]+)\)/).map { String($0.1) })
        #expect(used.isSubset(of: Set(light.keys).union(["low", "high"])))
        let rules = sheet.replacing(/:root\{[^}]*\}/, with: "")
        #expect(rules.firstMatch(of: /#[0-9a-f]{3,8}\b/) == nil, "a colour stands in a rule")
    }

    @Test(arguments: sheets)
    func `has no direction that another script turns`(sheet: String) {
        let physical = /[;{](?:(?:margin|padding|border)-)?(?:left|right)\s*:|text-align:(?:left|right)|float:/

        #expect(sheet.firstMatch(of: physical) == nil)
    }

    /// The custom properties of a colour scheme that are colours.
    private static func colours(isDark: Bool) throws -> [String: String] {
        let blocks = StyleSheet.text.matches(of: /:root\{([^}]*)\}/).map { String($0.1) }
        try #require(blocks.count == 2)
        let found = blocks[isDark ? 1 : 0].matches(of: /--([a-z-]+):(#[0-9a-f]{6})(?=[;}]|$)/)
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.1), String($0.2)) })
    }

    /// WCAG 2.2's contrast ratio of two colours `#rrggbb`.
    private static func contrast(_ one: String, _ other: String) throws -> Double {
        let (a, b) = (try luminance(one), try luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private static func luminance(_ colour: String) throws -> Double {
        let value = try #require(colour.utf8.count == 7 ? Int(colour.dropFirst(), radix: 16) : nil)
        let parts = [value >> 16, value >> 8, value].map { part in
            let share = Double(part & 0xFF) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
