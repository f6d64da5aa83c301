import Foundation

/// The file that lists the queries of the store's methods, for tests that prepare each of them on both engines: the text of
/// each, as it stands in the method, with the types of its parameters.
///
/// A query is a call `first("name", "SELECT …", .text(value), …)`, of one of the functions in ``functions``, or a
/// `Statement("name", "SELECT …", .text)`. The name and the SQL are literals.
struct QueryFile {
    private static let module = "BrokerStore"

    /// The functions of a transaction that take a query.
    static let functions = ["first", "all", "rows", "value", "run", "insertUnlessTaken", "Call", "Statement"]

    private struct Query {
        let name: String
        let literal: String
        /// The types of its parameters, as the arguments of a `Statement`.
        let types: String
    }

    private let queries: [Query]

    init(sources: URL) throws {
        let found = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        // What an engine runs for itself is in its own dialect.
        let files = (found?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "swift" && !$0.path.contains("/Engines/")
        }
        queries = try files.sorted { $0.path < $1.path }.flatMap {
            try Self.queries(in: String(contentsOf: $0, encoding: .utf8))
        }.sorted { $0.name < $1.name }
    }

    var text: String {
        let entries = queries.map { query in
            "        Statement(\n            \"\(query.name)\",\n            \(query.literal)\(query.types)),\n"
        }
        return GeneratedFile.header(from: "the methods of Sources/BrokerStore") + """
            // swift-format-ignore-file

            import StoreSchema

            @testable import \(Self.module)

            extension Statement {
                /// Every query that stands in a method.
                static let queries: [Statement] = [
            \(entries.joined())    ]
            }

            """
    }

    /// The queries in a file.
    private static func queries(in text: String) throws -> [Query] {
        var queries: [Query] = []
        let call = try Regex<(Substring, Substring)>(
            #"\b(?:\#(functions.joined(separator: "|")))\(\s*"([a-z0-9_]+)",\s*(?=")"#)
        for match in text.matches(of: call) {
            var scanner = SwiftScanner(text[match.range.upperBound...])
            guard let literal = scanner.literal() else { continue }
            queries.append(Query(name: String(match.1), literal: literal, types: scanner.types()))
        }
        return queries
    }
}

/// Reads the rest of a call.
private struct SwiftScanner {
    private var rest: Substring

    init(_ text: Substring) { rest = text }

    /// A string literal of one or more lines, with its interpolations.
    mutating func literal() -> String? {
        let start = rest.startIndex
        let quote = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        guard rest.hasPrefix(quote) else { return nil }
        rest = rest.dropFirst(quote.count)
        while !rest.isEmpty, !rest.hasPrefix(quote) {
            if rest.hasPrefix("\\(") {
                rest = rest.dropFirst(2)
                skipToClosing()
            } else {
                rest = rest.dropFirst(rest.hasPrefix("\\") ? 2 : 1)
            }
        }
        rest = rest.dropFirst(quote.count)
        return String(rest.base[start..<rest.startIndex])
    }

    /// The types of the values up to the end of the call: `.text(…)`, `.time(orNull: …)` or, of a declaration, `.text` or
    /// `parameters: …`.
    mutating func types() -> String {
        if let label = rest.prefixMatch(of: /,\s*parameters:/) {
            let start = rest.startIndex
            rest = rest[label.range.upperBound...]
            skipToClosing()
            return String(rest.base[start..<rest.startIndex].dropLast())
        }
        var types: [String] = []
        while let character = rest.first, character != ")" {
            if character == ".", let name = rest.dropFirst().prefixMatch(of: /[a-z]+/).map({ String($0.output) }) {
                rest = rest.dropFirst(1 + name.count)
                if let type = Self.columnTypes[name] { types.append(type) }
            } else if character == "(" || character == "[" || character == "{" {
                rest = rest.dropFirst()
                skipToClosing()
            } else if character == "\"" {
                _ = literal()
            } else {
                rest = rest.dropFirst()
            }
        }
        return types.map { ", .\($0)" }.joined()
    }

    private mutating func skipToClosing() {
        var depth = 1
        while depth > 0, let character = rest.first {
            if character == "\"" {
                _ = literal()
                continue
            }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            rest = rest.dropFirst()
        }
    }

    /// The constructors of `SQLValue`.
    private static let columnTypes = [
        "integer": "integer", "flag": "integer", "time": "integer", "limit": "integer", "text": "text",
        "words": "text", "blob": "blob",
    ]
}
