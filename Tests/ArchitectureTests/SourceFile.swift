import Foundation

/// A Swift file, read as text: these rules are about what stands in it, not what it means.
struct SourceFile: Sendable, CustomStringConvertible {
    /// From the repository's root, such as `Sources/JOSE/Base64URL.swift`.
    let path: String
    let text: String
    /// The lines without what stands behind `//`.
    ///
    /// A string that contains two slashes is cut as well, which can only hide something inside a string.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = text.components(separatedBy: "\n").map { line in
            line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
        }
    }

    var description: String { path }

    /// The modules the file imports, whatever stands before and behind the word.
    var imports: Set<String> {
        let declaration =
            #/
            \s* (?:@\w+\s+)* (?:(?:public|package|internal|fileprivate|private)\s+)?
            import \s+ (?:(?:class|enum|func|let|protocol|struct|typealias|var)\s+)? (\w+) .*
            /#
        return Set(
            code.filter { $0.contains("import ") }.compactMap { line in
                line.wholeMatch(of: declaration).map { String($0.1) }
            })
    }

    /// The text without comments and the literal parts of strings. The interpolations of a string stay.
    var bareText: String {
        let literalOrComment = #/"(?:\\\((?:[^()\n]|\([^()\n]*\))*\)|\\.|[^"\\\n])*"|//.*/#
        let interpolation = #/\\\((?:[^()\n]|\([^()\n]*\))*\)/#
        func interpolations(of literal: some StringProtocol) -> String {
            String(literal).matches(of: interpolation).map { String($0.0) }.joined(separator: " ")
        }
        // Every second part stands in a string of several lines, whose line ends stay.
        let plain = text.components(separatedBy: "\"\"\"").enumerated().map { index, part in
            index % 2 == 0 ? part : interpolations(of: part) + part.filter { $0 == "\n" }
        }.joined()
        return plain.replacing(literalOrComment) { match in
            match.0.first == "/" ? "" : interpolations(of: match.0)
        }
    }
}
