/// A JSON document, or a part of one, exactly as it was written (RFC 8259).
///
/// There is one parser for everything that comes from outside: configuration files, requests, tokens and identity
/// providers' answers. It is strict where lenient parsers disagree with each other, because two readings of one
/// document are what attacks are made of.
///
/// Equality compares strings and names byte by byte, numbers by their literals, and objects regardless of the order
/// of their members.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number with its literal text.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; its names are unique and keep their order.
    case object(JSONObject)

    /// The member called `name`, or nil when there is none or this is not an object.
    public subscript(_ name: String) -> JSONValue? { object?[name] }

    /// The string this is, or nil.
    public var string: String? { if case .string(let string) = self { string } else { nil } }

    /// The truth value this is, or nil. Numbers and strings are never truth values.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The number this is, or nil.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

    /// The integer this is, or nil: only literals without fraction and exponent that fit 64 bits are integers.
    public var integer: Int64? { number?.integer }

    /// The elements of the array this is, or nil.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The object this is, or nil.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// Whether this is the literal `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// What kind of JSON this is, in the words of RFC 8259, for error messages.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number.isInteger ? "integer" : "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSONValue: Equatable {
    /// Whether both are the same document; see the type's description for what counts as the same.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}
