public import StrictJSON

/// What is declared of a key of a configuration file, in one place: its reading, its schema and its line in the
/// documentation follow.
public struct KeyDeclaration: Sendable {
    /// Its path in its object, the names joined by dots; an option has one name.
    public package(set) var name: String { didSet { path = Self.path(name) } }
    /// The names on the way to it.
    package private(set) var path: [String]
    /// What it is: part of a sentence, without a capital letter at its begin and a full stop at its end.
    public let text: String
    /// Of its values, in JSON Schema.
    public package(set) var schema: JSONObject
    /// Where an object must have it.
    public package(set) var presence = KeyPresence.optional
    /// What counts when the object does not have it.
    public package(set) var initialValue: JSONValue?
    /// The same in words, where it depends on others.
    public package(set) var initialText: String?
    /// A value, for the documentation.
    public package(set) var example: JSONValue?
    /// The variable that goes before the file.
    package var environment: String?
    /// Whether a value in the place of its section is its value.
    package var standsForSection = false
    private let hideSecrets: @Sendable (JSONValue) -> JSONValue

    package init(
        name: String, text: String, schema: JSONObject,
        hideSecrets: @escaping @Sendable (JSONValue) -> JSONValue = { $0 }
    ) {
        self.name = name
        path = Self.path(name)
        self.text = text
        self.schema = schema
        self.hideSecrets = hideSecrets
    }

    private static func path(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

    /// A value of the key as it may be shown: ``hidden`` stands in the place of each secret's text.
    package func hidingSecrets(in value: JSONValue) -> JSONValue { hideSecrets(value) }

    /// What is shown in the place of a secret.
    package static let hidden: JSONValue = "(hidden)"

    /// The schema with text, initial value and example.
    var describedSchema: JSONObject {
        var described = JSONObject()
        described["description"] = .string(text + (initialText.map { ". When absent: \($0)" } ?? ""))
        for (name, value) in schema where name != "description" { described[name] = value }
        described["default"] = initialValue
        described["examples"] = example.map { [$0] }
        return described
    }
}

/// Where an object must have a key.
public enum KeyPresence: Sendable, Hashable {
    /// Nowhere.
    case optional
    /// Wherever the object is.
    case required
    /// Wherever its section is.
    case requiredInSection
}
