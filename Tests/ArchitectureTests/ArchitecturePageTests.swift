import Foundation
import Testing

@Suite("Docs/Architecture.md")
struct ArchitecturePageTests {
    private static let tree = Result { try Tree() }

    @Test func `each code span names something in the tree`() throws {
        let tree = try Self.tree.get()
        let spans = try Self.codeSpans(in: Repository.text("Docs/Architecture.md"))

        #expect(spans.filter { !tree.names($0) } == [])
        #expect(spans.count > 50)
    }

    @Test func `each folder of the sources has a line`() throws {
        let spans = try Self.codeSpans(in: Repository.text("Docs/Architecture.md"))
        let targets = try Repository.folders(in: "Sources")
        let folders = try Repository.folders(in: FolderOrder.root)

        #expect(targets.filter { !spans.contains("Sources/\($0)") } == [])
        #expect(folders.filter { !spans.contains($0) } == [])
    }

    @Test(arguments: ["NoSuchType", "Sources/Nowhere", "Accounts/NoSuchFile", "no_such_table"])
    func `a span that names nothing is found`(span: String) throws {
        #expect(try !Self.tree.get().names(span))
    }

    /// The code spans of a page, without its code blocks.
    private static func codeSpans(in page: String) -> [String] {
        page.replacing(/(?s)```.*?```/, with: "").matches(of: /`([^`\n]+)`/).map { String($0.1) }
    }
}

/// What a page can name: files and folders, types, and texts that stand in the sources.
private struct Tree: Sendable {
    private let types: Set<String>
    private let sources: Data

    init() throws {
        let swift = try Repository.swiftFiles(below: "Sources").map(\.text).joined(separator: "\n")
        let declaration = /\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)/.wordBoundaryKind(.simple)
        types = Set(swift.matches(of: declaration).map { String($0.1) })
        let manifests = try Repository.text("Package.swift") + Repository.text("Benchmarks/Package.swift")
        sources = Data((swift + manifests).utf8)
    }

    func names(_ span: String) -> Bool {
        if span.wholeMatch(of: /[A-Z]\w*/) != nil {
            return types.contains(span) || isFolder(span) || isTarget(span)
        }
        if span.contains("/"), span.first?.isUppercase == true { return isFile(span) }
        return hasText(span)
    }

    private func isTarget(_ name: String) -> Bool { hasText("\"\(name)\"") }

    private func hasText(_ text: String) -> Bool { sources.range(of: Data(text.utf8)) != nil }

    private func isFolder(_ name: String) -> Bool { exists("\(FolderOrder.root)/\(name)") }

    /// A path from the root, or one below `Sources/Broker` with or without `.swift`.
    private func isFile(_ path: String) -> Bool {
        exists(path) || exists("\(FolderOrder.root)/\(path)") || exists("\(FolderOrder.root)/\(path).swift")
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path)
    }
}
