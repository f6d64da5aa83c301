/// Swift text in lines of at most 120 characters.
enum SwiftLayout {
    static let width = 120

    /// A call or a list: in one line if that fits, otherwise with its items in lines of their own. `opening` has the
    /// indentation and the bracket. With `breaksBeforeClosing` the end stands in a line of its own, as after parameters.
    static func bracketed(
        _ opening: String, _ items: [String], _ closing: String, breaksBeforeClosing: Bool, trailingComma: Bool = false
    ) -> String {
        let line = opening + items.joined(separator: ", ") + closing
        guard line.count > width else { return line }
        let indent = String(opening.prefix { $0 == " " })
        let inner = filled(items, indent + "    ", ending: breaksBeforeClosing ? (trailingComma ? "," : "") : closing)
        return "\(opening)\n\(inner)" + (breaksBeforeClosing ? "\n\(indent)\(closing)" : "")
    }

    /// Items separated by commas, as many in a line as fit, with a text after the last one.
    static func filled(_ items: [String], _ indent: String, ending: String = "") -> String {
        var lines: [String] = []
        var line = ""
        for (index, item) in items.enumerated() {
            let piece = item + (index == items.count - 1 ? ending : ",")
            if line.isEmpty {
                line = indent + piece
            } else if line.count + 1 + piece.count <= width {
                line += " " + piece
            } else {
                lines.append(line)
                line = indent + piece
            }
        }
        lines.append(line)
        return lines.joined(separator: "\n")
    }

    /// Items separated by commas behind a keyword, with further lines indented.
    static func wrapped(_ keyword: String, _ items: [String], _ indent: String) -> String {
        let lines = filled(items, keyword)
        guard lines.contains("\n") else { return lines }
        return lines.split(separator: "\n").enumerated().map { index, line in
            index == 0 ? String(line) : indent + line.dropFirst(keyword.count)
        }.joined(separator: "\n")
    }

    /// A doc comment; empty for no text. Blank lines separate paragraphs.
    static func documentation(_ text: String, _ indent: String) -> String {
        guard !text.isEmpty else { return "" }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines: [String] = []
            var line = "\(indent)///"
            for word in paragraph.split(separator: " ") {
                if line.count + 1 + word.count > width {
                    lines.append(line)
                    line = "\(indent)///"
                }
                line += " " + word
            }
            return (lines + [line]).map { $0 + "\n" }.joined()
        }.joined()
    }
}

/// Names as Swift writes them.
enum SwiftName {
    static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// `used_id_tokens` is `usedIDTokens`.
    static func camelCase(_ name: String) -> String {
        name.split(separator: "_").enumerated().map { index, word in
            index == 0 ? String(word) : word == "id" ? "ID" : capitalized(String(word))
        }.joined()
    }
}
