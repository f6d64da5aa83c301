import Foundation
import Testing

/// Code of the documents, as readers copy it.
enum DocumentedCode {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    /// The block behind the comment with its name.
    static func named(_ name: String, in document: String) throws -> String {
        let text = try text(of: document)
        let start = try #require(text.range(of: "<!-- \(name) -->\n```"), "\(document) has no \(name)")
        let line = try #require(text[start.upperBound...].firstIndex(of: "\n"))
        let end = try #require(text.range(of: "\n```", range: line..<text.endIndex))
        return String(text[text.index(after: line)..<end.lowerBound])
    }

    /// The blocks of a language below a heading, one after the other.
    static func section(_ heading: String, _ language: String, in document: String) throws -> String {
        let text = try text(of: document)
        let start = try #require(text.range(of: "## \(heading)\n"), "\(document) has no \(heading)")
        let rest = text[start.upperBound...]
        let section = rest.prefix(upTo: rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)
        return section.components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }.joined()
    }

    private static func text(of document: String) throws -> String {
        try String(contentsOf: root.appending(path: document).standardizedFileURL, encoding: .utf8)
    }
}
