import ProviderKit

/// A variable of the environment that the program reads. Keys of `broker.json` declare further ones.
package enum ProgramVariable: String, Sendable, CaseIterable {
    case configuration = "BROKER_CONFIG"
    case logLevel = "BROKER_LOG_LEVEL"
    case logFormat = "BROKER_LOG_FORMAT"
    case server = "BROKER_SERVER"
    case adminToken = "BROKER_ADMIN_TOKEN"

    package var text: String {
        switch self {
        case .configuration: "the configuration file, where `--config` does not name one"
        case .logLevel: "the lowest log level to write, where `--log-level` does not name one"
        case .logFormat: "`text` or `json`, the format of the log, where `--log-format` does not name one"
        case .server: "the URL of a remote broker for administration, where `--server` does not name one"
        case .adminToken: "the admin token for it"
        }
    }

    /// All variables, those that keys declare too.
    package static let all: [(name: String, text: String)] =
        allCases.map { ($0.rawValue, $0.text) }
        + BrokerFile.keys.keys.compactMap { key in
            key.declaration.environment.map { ($0, "goes before `\(key.name)` of the configuration file") }
        }

    private static let known = all.map(\.name)

    /// Refuses a variable whose name begins like ours and that nothing reads: a misspelt one would do nothing.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - references: Names that the operator's files refer to.
    /// - Throws: ``ConfigurationError`` with the nearest name.
    static func requireKnown(
        in environment: [String: String], references: Set<String>
    ) throws(ConfigurationError) {
        for name in environment.keys.sorted() where name.hasPrefix("BROKER_") && !known.contains(name) {
            guard !references.contains(name), !isServiceLink(name) else { continue }
            let nearest = NearestName.nearest(to: name, among: known)
            throw ConfigurationError(
                name, "is no variable that the broker reads.", fix: nearest.map { "Did you mean \($0)?" } ?? "Unset it."
            )
        }
    }

    /// Whether Kubernetes sets it in every container, for a service whose name begins with "broker".
    private static func isServiceLink(_ name: String) -> Bool {
        name.wholeMatch(
            of:
                /BROKER(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)/
        )
            != nil
    }
}

extension JSONValue {
    /// The names of all `{"env": NAME}` in a document.
    var environmentReferences: Set<String> {
        switch self {
        case .array(let values): values.reduce(into: []) { $0.formUnion($1.environmentReferences) }
        case .object(let object):
            if object.count == 1, let name = object["env"]?.string {
                [name]
            } else {
                object.reduce(into: []) { $0.formUnion($1.value.environmentReferences) }
            }
        case .null, .bool, .number, .string: []
        }
    }
}
