import Broker
import Foundation
import ProviderKit
import Testing

/// The tables of `Docs/Configuration.md`, and `broker.schema.json`. `TESTS_RECORD=1` writes them anew.
@Suite("the page about the configuration, and its schema")
struct ConfigurationPageTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../..").standardized
    private static var isRecording: Bool { ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil }

    @Test func `the page has the keys and the variables that are declared`() throws {
        let path = Self.root.appending(path: "Docs/Configuration.md")
        var page = try String(contentsOf: path, encoding: .utf8)
        for (name, table) in [("keys", Self.keys), ("variables", Self.variables)] {
            let start = try #require(page.firstRange(of: "<!-- \(name): made by ConfigurationPageTests -->\n"))
                .upperBound
            let end = try #require(page.firstRange(of: "<!-- end of \(name) -->")).lowerBound
            if Self.isRecording {
                page.replaceSubrange(start..<end, with: table)
                try page.write(to: path, atomically: true, encoding: .utf8)
            } else {
                #expect(page[start..<end] == table)
            }
        }
    }

    @Test func `the schema for editors has the keys that are declared`() throws {
        let path = Self.root.appending(path: "broker.schema.json")
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "broker.json",
            "description": "The configuration of a broker. The broker and this schema refuse unknown names.",
        ]
        for (name, value) in BrokerFile.keys.schema { schema[name] = value }
        let value = try JSONSerialization.jsonObject(with: Data(schema.serialized().utf8))
        let text = try JSONSerialization.data(
            withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        if Self.isRecording { try (text + Data("\n".utf8)).write(to: path) }
        #expect(try Data(contentsOf: path) == text + Data("\n".utf8))
    }

    @Test func `every key has a text, and a default, a presence or an example`() {
        for key in BrokerFile.keys.keys where key.name != "$schema" {
            #expect(!key.text.isEmpty && !key.text.hasSuffix("."), "\(key.name)")
        }
        #expect(Set(BrokerFile.keys.keys.map(\.name)).count == BrokerFile.keys.keys.count)
    }

    private static var keys: String {
        let rows = BrokerFile.keys.keys.filter { $0.name != "$schema" }.flatMap { key -> [[String]] in
            let variable = key.environment.map { " `\($0)` goes before it." } ?? ""
            let example = key.example.map { " For example `\($0.serialized())`." } ?? ""
            let own = [
                "`\(key.name)`", sentence(key.text) + variable + example, form(key.schema), initial(key),
            ]
            return [own] + items(of: key)
        }
        return table(["Key", "What it is", "Values", "Default"], rows)
    }

    /// The keys of a list's objects.
    private static func items(of key: DeclaredKey<BrokerFile>) -> [[String]] {
        guard let items = key.schema["items"], let properties = items["properties"]?.object else { return [] }
        let required = items["required"]?.array?.compactMap(\.string) ?? []
        return properties.map { name, value in
            let schema = value.object ?? [:]
            return [
                "`\(key.name)[].\(name)`", sentence(schema["description"]?.string ?? ""), form(schema),
                required.contains(name) ? "required" : "",
            ]
        }
    }

    private static func initial(_ key: DeclaredKey<BrokerFile>) -> String {
        switch key.presence {
        case .required: "required"
        case .requiredInSection: key.initialText ?? "required with the others of its section"
        case .optional: key.initialText ?? key.initialValue.map { "`\($0.serialized())`" } ?? ""
        }
    }

    private static func form(_ schema: JSONObject) -> String {
        if let choices = schema["enum"]?.array { return choices.map { "`\($0.serialized())`" }.joined(separator: ", ") }
        if let alternatives = schema["anyOf"]?.array {
            guard alternatives[0]["const"] != nil, let numbers = alternatives[1].object else { return "" }
            return "\(form(numbers)), or 0"
        }
        return switch schema["type"]?.string {
        case "integer": "\(schema["minimum"]?.serialized() ?? "") to \(schema["maximum"]?.serialized() ?? "")"
        case "boolean": "`true`, `false`"
        case "string": "text"
        case "array": "list"
        default: ""
        }
    }

    private static var variables: String {
        table(["Variable", "What it is"], ProgramVariable.all.map { ["`\($0.name)`", sentence($0.text)] })
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
