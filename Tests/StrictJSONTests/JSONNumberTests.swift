import StrictJSON
import Testing

@Suite("JSON numbers are what they were written as")
struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ] as [(String, Int64)])
    func `an integer literal is an integer`(literal: String, integer: Int64) throws {
        #expect(try JSONValue(parsing: literal).integer == integer)
    }

    @Test(arguments: [
        "1.0", "1e3", "1E0", "0.0", "-0.0", "9223372036854775808", "-9223372036854775809", "1e999",
        String(repeating: "9", count: 4000),
    ])
    func `no other literal is`(literal: String) throws {
        let number = try #require(JSONValue(parsing: literal).number)

        #expect(number.integer == nil)
        #expect(number.literal == literal)
    }

    @Test(arguments: [("1.5", 1.5), ("-0.25e2", -25), ("1E-2", 0.01), ("12345678901234567890", 12345678901234567168)])
    func `every finite literal is a floating-point number`(literal: String, double: Double) throws {
        #expect(try JSONValue(parsing: literal).number?.double == double)
    }

    @Test func `what does not fit is not infinite`() throws {
        #expect(try JSONValue(parsing: "1e400").number?.double == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
    }

    @Test(arguments: ["", " 1", "1 ", "01", "+1", "1.", "NaN", "1,2", "\"1\"", "true"])
    func `a literal of one's own must be a number`(literal: String) {
        #expect(JSONNumber(literal: literal) == nil)
    }

    @Test func `numbers are made of integers and finite floating-point numbers`() throws {
        #expect(JSONNumber(UInt64.max).literal == "18446744073709551615")
        #expect(JSONNumber(literal: "6.02e23")?.literal == "6.02e23")
        #expect(try #require(JSONNumber(0.1)).double == 0.1)
        #expect(try #require(JSONNumber(1e300)).double == 1e300)
    }
}
