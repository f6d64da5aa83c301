/// A JSON number with the text it was written as, so that nothing is rounded before somebody says what it is for.
public struct JSONNumber: Sendable {
    /// The number as it stands in the document, such as `-0`, `1e3` or `123456789012345678901234567890`.
    public let literal: String

    /// Whether the literal has neither fraction nor exponent. `1.0` and `1e3` are numbers, but not integers.
    let isInteger: Bool

    /// Makes a number of a literal the parser has checked.
    init(checked literal: String, isInteger: Bool) {
        self.literal = literal
        self.isInteger = isInteger
    }

    /// Makes an integer.
    public init(_ value: some FixedWidthInteger) {
        self.init(checked: String(value), isInteger: true)
    }

    /// Makes a number, or nil of infinities and NaN, which JSON cannot write.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(literal: "\(value)")
    }

    /// Makes a number of its literal, or nil when `literal` is not what RFC 8259 §6 calls a number.
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
    /// Whether both numbers are written the same; `1` and `1.0` are not.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.literal.hasSameBytes(as: right.literal) }
}
