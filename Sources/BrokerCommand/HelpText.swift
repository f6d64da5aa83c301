extension String {
    /// The text with the lines of each paragraph joined, so that the help wraps them at the terminal's width. Indented
    /// lines, such as examples, stay separate.
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
