public import StrictJSON

/// A type of values of declared keys: it says its schema.
///
/// An enumeration with text as raw value that is `CaseIterable` needs to declare the conformance only. A type with a
/// ``Secret`` in it is to be a ``DeclaredOptions``, which hides it.
public protocol DeclaredValue: Decodable, Sendable {
    /// The values, in JSON Schema.
    static var declaredSchema: JSONObject { get }

    /// A value without the text of secrets in it.
    static func hidingSecrets(in value: JSONValue) -> JSONValue
}

extension DeclaredValue {
    /// The value: the type has no secrets.
    public static func hidingSecrets(in value: JSONValue) -> JSONValue { value }
}

extension DeclaredValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// The raw values of all cases.
    public static var declaredSchema: JSONObject {
        ["enum": .array(allCases.map { .string($0.rawValue) })]
    }
}

extension String: DeclaredValue {
    /// Text.
    public static var declaredSchema: JSONObject { ["type": "string"] }
}

extension Bool: DeclaredValue {
    /// `true` and `false`.
    public static var declaredSchema: JSONObject { ["type": "boolean"] }
}

extension Int: DeclaredValue {
    /// Whole numbers.
    public static var declaredSchema: JSONObject { ["type": "integer"] }
}

extension JSONValue: DeclaredValue {
    /// Any value.
    public static var declaredSchema: JSONObject { [:] }
}

extension Secret: DeclaredValue {
    /// `"text"`, `{"env": "NAME"}` or `{"file": "path"}`.
    public static var declaredSchema: JSONObject {
        let text: JSONValue = ["type": "string", "minLength": 1]
        let references = ["env", "file"].map { name -> JSONValue in
            [
                "type": "object", "additionalProperties": false, "required": [.string(name)],
                "properties": .object(JSONObject([(name, text)])),
            ]
        }
        return ["anyOf": .array([text] + references)]
    }

    /// The place of the secret, without its text.
    public static func hidingSecrets(in value: JSONValue) -> JSONValue {
        let names = value.object?.names ?? []
        return names == ["env"] || names == ["file"] ? value : KeyDeclaration.hidden
    }
}

extension Optional: DeclaredValue where Wrapped: DeclaredValue {
    /// The schema of the value.
    public static var declaredSchema: JSONObject { Wrapped.declaredSchema }

    /// The value without the text of its secrets.
    public static func hidingSecrets(in value: JSONValue) -> JSONValue { Wrapped.hidingSecrets(in: value) }
}

extension Array: DeclaredValue where Element: DeclaredValue {
    /// Lists.
    public static var declaredSchema: JSONObject { ["type": "array", "items": .object(Element.declaredSchema)] }

    /// The elements without the text of their secrets.
    public static func hidingSecrets(in value: JSONValue) -> JSONValue {
        .array((value.array ?? [value]).map(Element.hidingSecrets(in:)))
    }
}

extension Dictionary: DeclaredValue where Key == String, Value: DeclaredValue {
    /// Objects with names that nothing declares.
    public static var declaredSchema: JSONObject {
        ["type": "object", "additionalProperties": .object(Value.declaredSchema)]
    }

    /// The members without the text of their secrets.
    public static func hidingSecrets(in value: JSONValue) -> JSONValue {
        guard let members = value.object else { return Value.hidingSecrets(in: value) }
        return .object(JSONObject(members.map { ($0.name, Value.hidingSecrets(in: $0.value)) }))
    }
}
