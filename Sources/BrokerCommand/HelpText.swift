extension String {
    /// The text with the lines of each paragraph joined, for the help to wrap once, at the terminal's width. Indented
    /// lines, such as examples, stay lines.
    var paragraphs: String {
        var lines: [String] = []
        for line in split(separator: "\n", omittingEmptySubsequences: false) {
            let continues = lines.last.map { !$0.isEmpty && !$0.hasPrefix(" ") } ?? false
            if continues, !line.isEmpty, !line.hasPrefix(" ") {
                lines[lines.count - 1] += " " + line
            } else {
                lines.append(String(line))
            }
        }
        return lines.joined(separator: "\n")
    }
}
