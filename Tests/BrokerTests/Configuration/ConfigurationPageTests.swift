import Apple
import Foundation
import Generic
import GitHub
import GitLab
import OnePass
import ProviderKit
import Testing

@testable import Broker

/// The tables of `Docs/Configuration.md` and `Docs/Providers.md`, and the schemas. `TESTS_RECORD=1` writes them anew.
@Suite("the pages about the configuration, and its schemas")
struct ConfigurationPageTests {
    private static let plugins: [ProviderPlugin] = [.github, .gitlab, .apple, .onePass, .oidc, .oauth2]

    @Test func `the page has the keys and the variables that are declared`() throws {
        try Self.check(
            "Docs/Configuration.md", [("keys", Self.rows(BrokerFile.keys.keys)), ("variables", Self.variables)])
    }

    @Test func `the page about providers has the keys of entries and the options that plugins declare`() throws {
        let options: [(name: String, table: String)] = try Self.plugins.map { plugin in
            ("options of \(plugin.kind)", Self.table(of: try #require(plugin.options).keys))
        }
        try Self.check(
            "Docs/Providers.md",
            [("keys", Self.rows(ProviderEntry.Shape.declaration.keys)), ("catalogue", try Self.catalogue)] + options)
    }

    private static func check(_ page: String, _ tables: [(name: String, table: String)]) throws {
        try RecordedPage(page, madeBy: "ConfigurationPageTests").check(tables)
    }

    @Test(arguments: ConfigurationSchema.allCases)
    func `the schema for editors has the keys that are declared`(schema: ConfigurationSchema) throws {
        let path = RecordedPage.root.appending(path: "\(schema.rawValue).schema.json")
        let value = try JSONSerialization.jsonObject(
            with: Data(schema.document(plugins: Self.plugins).serialized().utf8))
        let text = try JSONSerialization.data(
            withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        if RecordedPage.isRecording { try (text + Data("\n".utf8)).write(to: path) }
        #expect(try Data(contentsOf: path) == text + Data("\n".utf8))
    }

    @Test func `every key has a text and a name of its own`() throws {
        let objects =
            [BrokerFile.keys.keys.map(\.declaration), ProviderEntry.Shape.declaration.keys.map(\.declaration)]
            + (try Self.plugins.map { try #require($0.options).keys })
        for keys in objects {
            for key in keys { #expect(!key.text.isEmpty && !key.text.hasSuffix("."), "\(key.name)") }
            #expect(Set(keys.map(\.name)).count == keys.count)
        }
    }

    private static func rows<Root>(_ keys: [DeclaredKey<Root>]) -> String {
        table(of: keys.map(\.declaration).filter { $0.name != "$schema" })
    }

    private static func table(of keys: [KeyDeclaration]) -> String {
        let rows = keys.flatMap { key -> [[String]] in
            let variable = key.environment.map { " `\($0)` goes before it." } ?? ""
            let example = key.example.map { " For example `\($0.serialized())`." } ?? ""
            let own = [
                "`\(key.name)`", sentence(key.text) + variable + example, form(key.schema), initial(key),
            ]
            return [own] + members(of: key)
        }
        return table(["Key", "What it is", "Values", "Default"], rows)
    }

    /// The keys of an object, or of a list's objects.
    private static func members(of key: KeyDeclaration) -> [[String]] {
        let (object, name) = key.schema["items"]?.object.map { ($0, "\(key.name)[]") } ?? (key.schema, key.name)
        let required = object["required"]?.array?.compactMap(\.string) ?? []
        return (object["properties"]?.object ?? [:]).map { member, value in
            let schema = value.object ?? [:]
            let initial = schema["default"].map { "`\($0.serialized())`" } ?? ""
            return [
                "`\(name).\(member)`", sentence(schema["description"]?.string ?? ""), form(schema),
                required.contains(member) ? "required" : initial,
            ]
        }
    }

    private static func initial(_ key: KeyDeclaration) -> String {
        switch key.presence {
        case .required: "required"
        case .requiredInSection: key.initialText ?? "required with the others of its section"
        case .optional: key.initialText ?? key.initialValue.map { "`\($0.serialized())`" } ?? ""
        }
    }

    private static func form(_ schema: JSONObject) -> String {
        if let choices = schema["enum"]?.array { return choices.map { "`\($0.serialized())`" }.joined(separator: ", ") }
        if schema == Secret.declaredSchema { return "[secret](Providers.md#what-all-entries-have-in-common)" }
        if let alternatives = schema["anyOf"]?.array {
            guard let single = alternatives[0]["const"], let others = alternatives[1].object else { return "" }
            return "\(form(others)), or \(single.string == nil ? single.serialized() : "`\(single.serialized())`")"
        }
        return switch schema["type"]?.string {
        case "integer": "\(schema["minimum"]?.serialized() ?? "") to \(schema["maximum"]?.serialized() ?? "")"
        case "boolean": "`true`, `false`"
        case "string": "text"
        case "array": "list"
        case "object": "object"
        default: ""
        }
    }

    private static var variables: String {
        table(["Variable", "What it is"], ProgramVariable.all.map { ["`\($0.name)`", sentence($0.text)] })
    }

    /// The providers of the catalogue, with the source of their facts and what their stand-ins check.
    private static var catalogue: String {
        get throws {
            let providers = ProviderCatalogue.embedded.providers
            let rows = try providers.map { provider -> [String] in
                let sources = provider.facts.map(\.verified)
                let isDocumented = provider.isDocumented ? "yes" : "no"
                return [
                    provider.displayName, "`\(provider.name)`", "`\(provider.use)`", isDocumented,
                    "\(sources.count { $0 == .documentation })", "\(sources.count { $0 == .memory })",
                    try ProviderQuirks(of: provider.name).checks,
                ]
            }
            let head = [
                "Provider", "Name", "Type", "Documented", "`documentation`", "`memory`", "Checked by a sign-in",
            ]
            return """
                \(providers.count) providers, \(providers.count(where: \.isDocumented)) of them documented.

                \(table(head, rows))
                """
        }
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
