extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object; of several members with one name the last is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }

    /// Makes an integer.
    public static func integer(_ value: some FixedWidthInteger) -> JSONValue { .number(JSONNumber(value)) }
}
