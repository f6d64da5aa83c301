import Foundation
import Testing

/// A page of the documentation with tables that follow from what is declared.
struct RecordedPage {
    /// Whether the tests write what they compare with: `TESTS_RECORD=1`.
    static var isRecording: Bool { ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil }

    /// The repository's folder.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../..").standardized

    private let path: URL
    private let suite: String

    /// - Parameters:
    ///   - path: Such as `Docs/Tokens.md`.
    ///   - suite: The tests that its marks name: `<!-- NAME: made by SUITE -->`.
    init(_ path: String, madeBy suite: String) {
        self.path = Self.root.appending(path: path)
        self.suite = suite
    }

    /// Compares tables with those between their marks, or writes them there.
    func check(_ tables: [(name: String, table: String)], sourceLocation: SourceLocation = #_sourceLocation) throws {
        var page = try String(contentsOf: path, encoding: .utf8)
        for (name, table) in tables {
            let mark = try #require(
                page.firstRange(of: "<!-- \(name): made by \(suite) -->\n"), sourceLocation: sourceLocation)
            let start = mark.upperBound
            let end = try #require(
                page[start...].firstRange(of: "<!-- end of \(name) -->"), sourceLocation: sourceLocation
            ).lowerBound
            if Self.isRecording {
                page.replaceSubrange(start..<end, with: table)
            } else {
                #expect(page[start..<end] == table, sourceLocation: sourceLocation)
            }
        }
        if Self.isRecording { try page.write(to: path, atomically: true, encoding: .utf8) }
    }
}
