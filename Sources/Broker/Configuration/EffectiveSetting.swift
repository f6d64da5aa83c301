import BrokerStore
package import ProviderKit

/// The value of a key of `broker.json` or of an entry of `plugins.json` as a broker that starts now has it, and where it
/// comes from.
package struct EffectiveSetting: Sendable, Encodable {
    package let name: String
    /// Absent where there is none, or it is hidden.
    package let value: JSONValue?
    /// What stands in the place of an absent value.
    package let remark: String?
    /// The file, the variable, or "default".
    package let source: String
}

extension Configuration {
    /// All keys of `broker.json`, then those of each entry of `plugins.json`, with secrets hidden.
    ///
    /// - Parameters:
    ///   - path: `broker.json`, which names the other file.
    ///   - plugins: The plugins of this build.
    ///   - environment: The variables.
    /// - Returns: The keys in the order of the documentation.
    /// - Throws: ``ConfigurationError`` where no broker would start.
    package static func settings(
        path: String, plugins: [ProviderPlugin], environment: [String: String]
    ) throws(ConfigurationError) -> [EffectiveSetting] {
        let file = try BrokerFile(path: path, environment: environment)
        try file.configuration.check(source: path)
        let values = BrokerFile.keys.values(in: file.document, file, environment: environment)
        let isDatabaseElsewhere = values.contains { $0.key.name == "database.path" && $0.origin != .initial }
        let isServer = values.contains { $0.key.name == "database.url" && $0.value != nil }
        let settings = values.compactMap { key, value, origin -> EffectiveSetting? in
            if key.name == "$schema" { return nil }
            // Of the two names of the database, the one that counts.
            if key.name == "database.url", isDatabaseElsewhere { return nil }
            if key.name == "database.path", isServer, origin == .initial { return nil }
            return EffectiveSetting(key.name, key.declaration, value, origin.source(file: path))
        }
        return try settings + PluginsFile.settings(path: file.configuration.pluginsPath, plugins: plugins)
    }
}

extension PluginsFile {
    fileprivate static func settings(
        path: String, plugins: [ProviderPlugin]
    ) throws(ConfigurationError) -> [EffectiveSetting] {
        let entries = try load(path: path, plugins: plugins).entries
        let documents = try StrictFile.value(path: path, hint: "")["providers"]?.array ?? []
        return zip(entries, documents).flatMap { entry, document -> [EffectiveSetting] in
            let name = "providers[\(entry.id)]"
            var settings: [EffectiveSetting] = []
            for (key, value, origin) in ProviderEntry.Shape.declaration.values(in: document, ProviderEntry.Shape()) {
                // The id stands in the name, and the options follow.
                guard key.name != "id", key.name != "options" else { continue }
                settings.append(
                    EffectiveSetting("\(name).\(key.name)", key.declaration, value, origin.source(file: path)))
            }
            let plugin = plugins.first { $0.kind == entry.use }
            return settings + options(of: entry, plugin?.options, "\(name).options", path)
        }
    }

    /// The options that the plugin declares, and the names of others.
    private static func options(
        of entry: ProviderEntry, _ declaration: OptionsDeclaration?, _ name: String, _ path: String
    ) -> [EffectiveSetting] {
        let members = entry.options.object ?? [:]
        let keys = declaration?.keys ?? []
        let declared = keys.map { key in
            let value = members[key.name].flatMap { $0.isNull ? nil : $0 }
            return EffectiveSetting(
                "\(name).\(key.name)", key, value ?? key.initialValue, value == nil ? EffectiveSetting.initial : path)
        }
        let others = members.filter { member in !keys.contains { $0.name.hasSameBytes(as: member.name) } }
        return declared + others.map { EffectiveSetting("\(name).\($0.name)", undeclared: $0.value, path) }
    }
}

extension DeclaredObject.Origin {
    fileprivate func source(file: String) -> String {
        switch self {
        case .file: file
        case .variable(let name): name
        case .initial: EffectiveSetting.initial
        }
    }
}

extension EffectiveSetting {
    fileprivate static let initial = "default"

    fileprivate init(_ name: String, _ key: KeyDeclaration, _ value: JSONValue?, _ source: String) {
        let shown = value.map { key.hidingSecrets(in: $0) }
        let publicName = shown?.string.flatMap { DatabaseLocation.isURL($0) ? Store.publicName(ofPostgreSQL: $0) : nil }
        let remark = value == nil ? key.initialText : nil
        self.init(name, publicName.map(JSONValue.string) ?? shown, of: value, remark: remark, source)
    }

    /// An option that no plugin declares, so that it may be a secret.
    fileprivate init(_ name: String, undeclared value: JSONValue, _ source: String) {
        self.init(name, Secret.hidingSecrets(in: value), of: value, remark: nil, source)
    }

    private init(_ name: String, _ shown: JSONValue?, of value: JSONValue?, remark: String?, _ source: String) {
        self.name = name
        self.source = source
        let isHidden = shown == KeyDeclaration.hidden && shown != value
        self.value = isHidden ? nil : shown
        self.remark = isHidden ? KeyDeclaration.hidden.string : remark
    }
}
