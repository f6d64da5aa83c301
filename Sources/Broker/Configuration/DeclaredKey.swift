package import ProviderKit

/// A key of a configuration file, declared once: its reading, its schema and its line in the documentation follow.
package struct DeclaredKey<Root: Sendable>: Sendable {
    /// Its path in the file, the names joined by dots.
    package let name: String
    package let text: String
    /// Of its values, in JSON Schema.
    package let schema: JSONObject
    package var presence = KeyPresence.optional
    /// What counts when the file does not have it.
    package var initialValue: JSONValue?
    /// The same in words, where it depends on others.
    package var initialText: String?
    /// The same of a file that was read.
    var derivedValue: (@Sendable (Root) -> JSONValue?)?
    /// The variable that goes before the file.
    package var environment: String?
    package var example: JSONValue?
    /// Whether text in the file is a secret.
    package var isSecret = false
    /// Whether a value in the place of its section is its value.
    package var standsForSection = false

    let read: @Sendable (JSONValue, inout Root, ValuePlace) throws(ConfigurationError) -> Void

    /// The names on the way to it.
    package var path: [String] { name.split(separator: ".").map(String.init) }
}

/// Where a file must have a key.
package enum KeyPresence: Sendable, Hashable {
    case optional
    case required
    /// Wherever its section is.
    case requiredInSection
}

/// The place of a value that is being read.
struct ValuePlace: Sendable {
    /// The file, or the variable.
    let source: String
    /// A JSON Pointer in the file.
    let pointer: String
    /// Resolves relative paths.
    let resolve: @Sendable (String) -> String
    let secrets: SecretSource
    /// Whether a variable has the value.
    var isVariable = false

    func below(_ names: [String]) -> ValuePlace {
        ValuePlace(
            source: source, pointer: pointer + names.map { "/\($0)" }.joined(), resolve: resolve, secrets: secrets,
            isVariable: isVariable)
    }

    func error(_ problem: String, fix: String? = nil) -> ConfigurationError {
        ConfigurationError(source, at: pointer, problem, fix: fix)
    }

    /// - Throws: ``ConfigurationError`` for a value of another shape.
    func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws(ConfigurationError) -> Value {
        do {
            return try StrictFile.decoder(secrets: secrets).decode(type, from: value, at: pointer)
        } catch {
            throw ConfigurationError(source, error)
        }
    }
}

extension DeclaredKey {
    /// A key whose values `Value` decodes.
    static func value<Value: Decodable>(
        _ name: String, _ type: Value.Type, schema: JSONObject, _ text: String,
        set: @escaping @Sendable (inout Root, Value, ValuePlace) throws(ConfigurationError) -> Void
    ) -> DeclaredKey {
        DeclaredKey(name: name, text: text, schema: schema) { (value, root, place) throws(ConfigurationError) in
            try set(&root, place.decode(type, from: value), place)
        }
    }

    /// A whole number.
    ///
    /// - Parameters:
    ///   - name: The path.
    ///   - range: The numbers that are taken.
    ///   - zero: What 0 does, as in "Write 0 for no limit."; without it 0 is a number like others.
    ///   - initial: The value without the key.
    ///   - text: What it is.
    ///   - set: Takes the number; nil for 0 where that has its own meaning.
    /// - Returns: The key.
    static func integer(
        _ name: String, _ range: ClosedRange<Int>, orZero zero: String? = nil, initially initial: Int? = nil,
        _ text: String, set: @escaping @Sendable (inout Root, Int?) -> Void
    ) -> DeclaredKey {
        let numbers: JSONObject = [
            "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
        ]
        let schema = zero == nil ? numbers : ["anyOf": [["const": 0], .object(numbers)]]
        var key = value(name, Int.self, schema: schema, text) { (root, number, place) throws(ConfigurationError) in
            if number == 0, zero != nil { return set(&root, nil) }
            guard range.contains(number) else {
                throw place.error(
                    "must be between \(range.lowerBound) and \(range.upperBound).", fix: zero.map { "Write 0 \($0)." })
            }
            set(&root, number)
        }
        key.initialValue = initial.map { .integer($0) }
        return key
    }

    /// A number of days.
    static func days(
        _ name: String, _ range: ClosedRange<Int>, orZero zero: String? = nil, initially initial: Duration?,
        _ text: String, set: @escaping @Sendable (inout Root, Duration?) -> Void
    ) -> DeclaredKey {
        let days = initial.map { Int($0.components.seconds / 86_400) }
        return integer(name, range, orZero: zero, initially: days, text) { root, days in
            set(&root, days.map { .seconds($0 * 86_400) })
        }
    }

    /// `true` or `false`.
    static func flag(
        _ name: String, initially initial: Bool?, _ text: String,
        set: @escaping @Sendable (inout Root, Bool) -> Void
    ) -> DeclaredKey {
        var key = value(name, Bool.self, schema: ["type": "boolean"], text) { root, flag, _ in set(&root, flag) }
        key.initialValue = initial.map(JSONValue.bool)
        return key
    }

    /// Text.
    static func text(
        _ name: String, initially initial: String? = nil, _ text: String,
        set: @escaping @Sendable (inout Root, String, ValuePlace) throws(ConfigurationError) -> Void
    ) -> DeclaredKey {
        var key = value(name, String.self, schema: ["type": "string"], text, set: set)
        key.initialValue = initial.map(JSONValue.string)
        return key
    }

    /// A list of texts.
    static func texts(
        _ name: String, _ text: String,
        set: @escaping @Sendable (inout Root, [String], ValuePlace) throws(ConfigurationError) -> Void
    ) -> DeclaredKey {
        let schema: JSONObject = ["type": "array", "items": ["type": "string"]]
        return value(name, [String].self, schema: schema, text, set: set)
    }

    /// One of the cases of an enumeration, by its raw value.
    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ type: Choice.Type, initially initial: Choice? = nil, _ text: String,
        set: @escaping @Sendable (inout Root, Choice) -> Void
    ) -> DeclaredKey where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        var key = value(name, String.self, schema: ["enum": .array(names.map(JSONValue.string))], text) {
            (root, name, place) throws(ConfigurationError) in
            guard let choice = Choice(rawValue: name) else {
                throw place.error("must be one of \(names.map { "\"\($0)\"" }.joined(separator: ", ")).")
            }
            set(&root, choice)
        }
        key.initialValue = initial.map { .string($0.rawValue) }
        return key
    }

    /// A list of objects with declared keys of their own.
    static func list<Item: Sendable>(
        _ name: String, of items: DeclaredObject<Item>, initially item: Item, _ text: String,
        set: @escaping @Sendable (inout Root, [Item]) -> Void
    ) -> DeclaredKey {
        let schema: JSONObject = ["type": "array", "items": .object(items.schema)]
        return value(name, [JSONValue].self, schema: schema, text) { (root, values, place) throws(ConfigurationError) in
            var result: [Item] = []
            for (index, value) in values.enumerated() {
                var read = item
                try items.read(value, into: &read, at: place.below([String(index)]))
                result.append(read)
            }
            set(&root, result)
        }
    }

    func required(_ presence: KeyPresence = .required) -> DeclaredKey { with { $0.presence = presence } }

    /// The key with an initial value that depends on others: in words, and of a file that was read.
    func initially(_ words: String, as value: (@Sendable (Root) -> JSONValue?)? = nil) -> DeclaredKey {
        with { ($0.initialText, $0.derivedValue) = (words, value) }
    }

    func example(_ value: JSONValue) -> DeclaredKey { with { $0.example = value } }
    func environment(_ variable: String) -> DeclaredKey { with { $0.environment = variable } }
    func forSection() -> DeclaredKey { with { $0.standsForSection = true } }
    func secret() -> DeclaredKey { with { $0.isSecret = true } }

    private func with(_ change: (inout DeclaredKey) -> Void) -> DeclaredKey {
        var key = self
        change(&key)
        return key
    }
}
