/// A JSON value with its literals (RFC 8259).
///
/// One parser reads all untrusted input: configuration files, requests, tokens and identity providers' responses. It is
/// strict where lenient parsers disagree, because attacks exploit two readings of one document.
///
/// Equality compares strings and names byte by byte, numbers by their literals, and objects regardless of order.
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

    /// The member `name`, or nil when there is none or this is not an object.
    public subscript(_ name: String) -> JSONValue? { object?[name] }

    /// The string, or nil for other types.
    public var string: String? { if case .string(let string) = self { string } else { nil } }

    /// The Boolean, or nil for other types. Numbers and strings are never Booleans.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The number, or nil for other types.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

    /// The integer, or nil. Only literals without fraction and exponent that fit 64 bits are integers.
    public var integer: Int64? { number?.integer }

    /// The elements of the array, or nil for other types.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The object, or nil for other types.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// Whether this is the literal `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The type's name in RFC 8259, for error messages.
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
    /// Whether both values are equal; see the type's description.
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
