/// A JSON number with its literal, so that no value is rounded before its type is known.
public struct JSONNumber: Sendable {
    /// The literal, such as `-0`, `1e3` or `123456789012345678901234567890`.
    public let literal: String

    /// Whether the literal has neither fraction nor exponent. `1.0` and `1e3` are numbers, but not integers.
    let isInteger: Bool

    /// Makes a number from a checked literal.
    init(checked literal: String, isInteger: Bool) {
        self.literal = literal
        self.isInteger = isInteger
    }

    /// Makes an integer.
    public init(_ value: some FixedWidthInteger) {
        self.init(checked: String(value), isInteger: true)
    }

    /// Makes a number, or nil for infinities and NaN, which JSON cannot represent.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(literal: "\(value)")
    }

    /// Makes a number from its literal, or nil when `literal` is not a number of RFC 8259 §6.
    public init?(literal: String) {
        guard case .number(let number)? = try? JSONValue(parsing: literal),
            number.literal.hasSameBytes(as: literal)
        else { return nil }
        self = number
    }

    /// The integer, or nil when the literal has a fraction or an exponent or does not fit 64 bits.
    public var integer: Int64? { isInteger ? Int64(literal) : nil }

    /// The nearest floating-point number, or nil when that would be infinite.
    public var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: Equatable {
    /// Whether both literals are equal; `1` and `1.0` are not.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.literal.hasSameBytes(as: right.literal) }
}
