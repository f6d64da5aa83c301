import BrokerStore
package import ProviderKit

/// The value of a key of `broker.json` as a broker that starts now has it, and where it comes from.
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
    /// All keys of `broker.json`, with secrets hidden.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - environment: The variables.
    /// - Returns: The keys in the order of the documentation.
    /// - Throws: ``ConfigurationError`` where no broker would start.
    package static func settings(
        path: String, environment: [String: String]
    ) throws(ConfigurationError) -> [EffectiveSetting] {
        let file = try BrokerFile(path: path, environment: environment)
        try file.configuration.check(source: path)
        let values = BrokerFile.keys.values(in: file.document, file, environment: environment)
        let isDatabaseElsewhere = values.contains { $0.key.name == "database.path" && $0.origin != .initial }
        let isServer = values.contains { $0.key.name == "database.url" && $0.value != nil }
        return values.compactMap { key, value, origin in
            if key.name == "$schema" { return nil }
            // Of the two names of the database, the one that counts.
            if key.name == "database.url", isDatabaseElsewhere { return nil }
            if key.name == "database.path", isServer, origin == .initial { return nil }
            return EffectiveSetting(key, value, origin, file: path)
        }
    }
}

extension EffectiveSetting {
    fileprivate init(
        _ key: DeclaredKey<BrokerFile>, _ value: JSONValue?, _ origin: DeclaredObject<BrokerFile>.Origin, file: String
    ) {
        name = key.name
        switch origin {
        case .file: source = file
        case .variable(let name): source = name
        case .initial: source = "default"
        }
        let publicName = value?.string.flatMap { DatabaseLocation.isURL($0) ? Store.publicName(ofPostgreSQL: $0) : nil }
        if key.isSecret, value?.string != nil {
            (self.value, remark) = (nil, "(hidden)")
        } else if let publicName {
            (self.value, remark) = (.string(publicName), nil)
        } else {
            (self.value, remark) = (value, value == nil ? key.initialText : nil)
        }
    }
}
