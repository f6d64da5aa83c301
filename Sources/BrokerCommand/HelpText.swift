extension String {
    /// The text with the lines of each paragraph joined, so that the help wraps them at the terminal's width. Indented
    /// lines, such as examples, stay separate.
    var paragraphs: String {
        let (newline, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
        var text: [UInt8] = []
        text.reserveCapacity(utf8.count)
        var isContinued = false
        // All commands have their texts at each start, of which a split at characters is a sixteenth.
        for (number, line) in utf8.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            let isPlain = !line.isEmpty && line.first != space
            if number > 0 { text.append(isContinued && isPlain ? space : newline) }
            text += line
            isContinued = isPlain
        }
        return String(decoding: text, as: UTF8.self)
    }
}
