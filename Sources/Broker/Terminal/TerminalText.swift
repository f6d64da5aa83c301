import Foundation
package import ProviderKit

/// Text for a terminal. Literals are shown unchanged; interpolated values are escaped, so that no name, address or
/// claim moves the cursor, starts a line or reverses the text around it.
package struct TerminalText: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    package let description: String

    package init(stringLiteral value: String) {
        description = value
    }

    package init(stringInterpolation: StringInterpolation) {
        description = stringInterpolation.text
    }

    /// A value from outside, escaped.
    package init(escaping value: String) {
        description = Self.escape(value)
    }

    /// Text of several lines: line ends stay, every other control character is escaped.
    package init(escapingLines text: String) {
        description = Self.replace(in: text, except: "\n", by: Self.swiftEscape)
    }

    /// A JSON document, escaped as in JSON (RFC 8259 §7), so that its value stays the same.
    package init(json document: JSONValue, indented: Bool = false) {
        self.init(serializedJSON: indented ? document.indented() : document.serialized())
    }

    /// A JSON document that was serialized elsewhere, such as a line of the log.
    package init(serializedJSON text: String) {
        description = Self.replace(in: text, except: "\n", by: Self.jsonEscape)
    }

    /// Text that this program made, such as a script for a shell, shown unchanged.
    package init(program text: String) {
        description = text
    }

    /// A value from outside, escaped, and bold where standard output shows such text.
    package init(bold value: String) {
        self.init(Self.escape(value), style: "1")
    }

    /// A value from outside, escaped, and coloured where standard output shows colours.
    package init(escaping value: String, color: TerminalColor?) {
        self.init(Self.escape(value), style: color?.rawValue)
    }

    /// Escaped text with a parameter of SGR (ECMA-48 §8.3.117).
    private init(_ escaped: String, style: String?) {
        description = style.map { TerminalColor.isShown ? "\u{1B}[\($0)m\(escaped)\u{1B}[0m" : escaped } ?? escaped
    }

    /// Names in one line, `unnamed` when there is none.
    package init(names: [String?]) {
        let names = names.compactMap(\.self).filter { !$0.isEmpty }
        description = names.isEmpty ? "unnamed" : Self.escape(names.joined(separator: ", "))
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ value: TerminalText) { text += value.description }
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += TerminalText.escape(value.description)
        }
    }

    /// The string with every character that is not printable as `\u{…}`, line ends included.
    private static func escape(_ text: String) -> String {
        replace(in: text, by: swiftEscape)
    }

    private static func swiftEscape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    private static func jsonEscape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func replace(
        in text: String, except allowed: Unicode.Scalar? = nil, by escaped: (Unicode.Scalar) -> String
    ) -> String {
        // Most text is plain ASCII, and every log line passes here.
        guard !isPrintableASCII(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isHidden(scalar), scalar != allowed {
                result += escaped(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// All bytes are looked at, in one expression, for which the compiler takes many at once.
    private static func isPrintableASCII(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var found: UInt8 = 0
            for byte in bytes { found |= (byte < 0x20 ? 1 : 0) | (byte > 0x7E ? 1 : 0) }
            return found == 0
        }
    }

    /// Control characters (C0, DEL, C1), line and paragraph separators, and format characters, among them those that
    /// change the direction of text (Unicode Standard Annex 9) and those of no width.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension [TerminalText] {
    package func joined(separator: TerminalText = "") -> TerminalText {
        guard let first else { return "" }
        return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
    }
}
