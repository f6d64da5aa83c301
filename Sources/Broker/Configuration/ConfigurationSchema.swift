package import ProviderKit

/// JSON Schema of the configuration files, for editors: `broker schema`.
package enum ConfigurationSchema: String, Sendable, CaseIterable {
    case plugins
    case broker
    /// The document of a provider in the catalogue.
    case catalogue

    /// The schema of a build with these plugins.
    package func document(plugins: [ProviderPlugin]) -> JSONObject {
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string("\(rawValue).json"),
        ]
        switch self {
        case .broker:
            schema["description"] = "The configuration of a broker. The broker and this schema refuse unknown names."
            for (name, value) in BrokerFile.keys.schema { schema[name] = value }
        case .plugins:
            for (name, value) in PluginsFile.schema(plugins: plugins) { schema[name] = value }
        case .catalogue:
            for (name, value) in CatalogueProvider.declaration.schema { schema[name] = value }
        }
        return schema
    }
}

extension PluginsFile {
    /// The schema of the file, of a build with these plugins.
    fileprivate static func schema(plugins: [ProviderPlugin]) -> JSONObject {
        var schema = Shape.declaration.schema
        schema.changeProperty("providers") { $0["items"] = ["$ref": "#/$defs/provider"] }
        var entry = ProviderEntry.Shape.declaration.schema
        entry.changeProperty("use") { $0["enum"] = .array(plugins.map { .string($0.kind.rawValue) }) }
        entry["allOf"] = .array(plugins.flatMap(rules(of:)))
        var definitions: JSONObject = ["provider": .object(entry)]
        for plugin in plugins {
            definitions[definition(of: plugin)] = plugin.options.map { .object($0.schema) }
        }
        schema["$defs"] = .object(definitions)
        return schema
    }

    private static func definition(of plugin: ProviderPlugin) -> String { "\(plugin.kind.rawValue)Options" }

    /// What an entry of the plugin must have. The options of a disabled entry may be half filled in.
    private static func rules(of plugin: ProviderPlugin) -> [JSONValue] {
        let use: JSONObject = ["use": ["const": .string(plugin.kind.rawValue)]]
        var rules: [JSONValue] = []
        if let options = plugin.options {
            var enabled = use
            enabled["enabled"] = ["const": true]
            let required: [JSONValue] = options.keys.contains { $0.presence != .optional } ? ["options"] : []
            let reference = "#/$defs/\(definition(of: plugin))"
            rules.append([
                "if": ["properties": .object(enabled), "required": ["use"]],
                "then": ["required": .array(required), "properties": ["options": ["$ref": .string(reference)]]],
            ])
        }
        if plugin.publicInstance == nil {
            var then: JSONObject = ["required": ["id"]]
            then["properties"] = ProviderEntry.idPattern(of: plugin.kind).map { ["id": ["pattern": .string($0)]] }
            rules.append(["if": ["properties": .object(use), "required": ["use"]], "then": .object(then)])
        }
        return rules
    }
}

extension ProviderEntry {
    /// A regular expression of the ids that entries of a plugin may have; nil for any.
    fileprivate static func idPattern(of kind: ProviderKind) -> String? {
        guard genericKinds.contains(kind.rawValue) else { return nil }
        let others = FirebaseProviderID.allCases.map { $0.rawValue.replacing(".", with: #"\."#) }
        return #"^(\#(kind.rawValue)\.[a-z0-9._-]+|\#(others.joined(separator: "|")))$"#
    }
}

extension JSONObject {
    /// Changes the schema of a property.
    fileprivate mutating func changeProperty(_ name: String, _ change: (inout JSONObject) -> Void) {
        guard var properties = self["properties"]?.object, var property = properties[name]?.object else { return }
        change(&property)
        properties[name] = .object(property)
        self["properties"] = .object(properties)
    }
}
