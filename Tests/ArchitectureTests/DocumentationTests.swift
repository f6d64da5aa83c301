import Foundation
import Testing

@Suite("Documentation and examples")
struct DocumentationTests {
    @Test func `every wire code of the API has a row in WireErrors`() throws {
        let documented = Set(
            try Repository.text("Docs/WireErrors.md").split(separator: "\n")
                .compactMap { $0.firstMatch(of: /^\| `([A-Z_]+)`/).map { String($0.1) } })
        let named = /(?m)^ +case \w+ = "([A-Z_]+)"$/
        let codes = Set(try Repository.text("Sources/Broker/ErrorCode.swift").matches(of: named).map { String($0.1) })
        let code = try Repository.swiftFiles(
            below: "Sources/Broker/HTTP", "Sources/Broker/IdentityToolkit", "Sources/Broker/Hosted",
            "Sources/Broker/Inbound"
        ).map(\.text).joined(separator: "\n").replacing(named, with: "")
        // A code stands alone in its string.
        let literals = Set(code.matches(of: /"([A-Z][A-Z_]{5,})"/).map { String($0.1) })

        #expect(codes.subtracting(documented).sorted() == [], "in the code only")
        #expect(documented.subtracting(codes).sorted() == [], "in Docs/WireErrors.md only")
        #expect(literals.sorted() == [], "a literal instead of an ErrorCode")
        #expect(codes.contains("INVALID_IDP_RESPONSE"))
    }

    @Test func `the example plugins json is JSON and enables nothing`() throws {
        let example = try Self.object("plugins.json")
        let entries = try #require(example["providers"] as? [[String: Any]])

        #expect(!entries.isEmpty)
        #expect(entries.allSatisfy { $0["enabled"] as? Bool == false })
    }

    @Test func `links between the documents lead somewhere`() throws {
        let documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Deploy/README.md"]
        let docs = try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: "Docs").path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }

        for document in documents + docs {
            let folder = Repository.root.appending(path: document).deletingLastPathComponent()
            // A relative link, without the place inside the file.
            for match in try Repository.text(document).matches(of: /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/) {
                let target = folder.appending(path: String(match.1)).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: target), "\(document) links to \(match.1)")
            }
        }
    }

    @Test func `a JSON block of the documents is one value, the members of one object, or a value in each line`() throws
    {
        for document in try Self.documents() {
            for block in try Repository.text(document).matches(of: /(?ms)^ *```json\n(.*?)^ *```/) {
                let text = String(block.1)
                let lines = text.split(separator: "\n").map(String.init)
                let isJSON = Self.isJSON(text) || Self.isJSON("{\(text)}") || lines.allSatisfy(Self.isJSON)
                #expect(isJSON, "\(document)\n\(text)")
            }
        }
    }

    @Test func `commands for the demo name its configuration`() throws {
        let blocks = try Repository.text("Docs/AddSignIn.md").matches(of: /(?ms)^```sh\n(.*?)^```/)
        let commands = blocks.flatMap { $0.1.split(separator: "\n") }.filter { $0.hasPrefix("broker ") }

        #expect(commands.count > 5)
        for command in commands { #expect(command.contains(" --config demo/broker.json "), "\(command)") }
    }

    private static func isJSON(_ text: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
    }

    private static func documents() throws -> [String] {
        let docs = try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: "Docs").path)
        return ["README.md", "Deploy/README.md"] + docs.filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
    }

    @Test func `a source or test that the documents name exists`() throws {
        let docs = try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: "Docs").path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }

        for document in docs + ["README.md", "CONTRIBUTING.md"] {
            for match in try Repository.text(document).matches(of: /`((?:Sources|Tests|scripts|Docs)\/[\w\/+.-]+)`/) {
                let path = Repository.root.appending(path: String(match.1)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(document) names \(match.1)")
            }
        }
    }

    @Test func `the test behind each promise of the threat model exists`() throws {
        let promises = try Repository.text("Docs/ThreatModel.md").matches(of: /“([^”]+)”/).map { String($0.1) }
        let tests = try Repository.swiftFiles(below: "Tests").map(\.text).joined(separator: "\n")

        #expect(promises.count > 10)
        #expect(promises.filter { !tests.contains("func `\($0)`(") } == [])
    }

    private static func object(_ path: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(try Repository.text(path).utf8))
        return try #require(value as? [String: Any])
    }
}
