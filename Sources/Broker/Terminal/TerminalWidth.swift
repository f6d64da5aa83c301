import Foundation

/// The width of text and of the terminal, in columns.
package enum TerminalWidth {
    /// The columns of the terminal at standard output, or the value of `COLUMNS`; `nil` without both.
    package static var current: Int? {
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
            return columns
        }
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// The columns of a text: two for East Asian wide characters and emoji (Unicode Standard Annex 11), none for
    /// combining marks.
    package static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text padded with spaces, or cut with an ellipsis, to `width` columns.
    static func fit(_ text: String, to width: Int) -> String {
        let own = of(text)
        guard own > width else { return text + String(repeating: " ", count: width - own) }
        var result = ""
        var used = 0
        for character in text {
            let columns = of(String(character))
            guard used + columns < width else { break }
            result.append(character)
            used += columns
        }
        return result + "…" + String(repeating: " ", count: max(0, width - used - 1))
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Unicode blocks of wide or full-width characters.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
        0x20000...0x3FFFD,
    ]
}
