package import ProviderKit

/// A time in whole seconds since 1970 UTC (RFC 7519 §2), between the years 2000 and 2100.
///
/// The range leaves room for all arithmetic with lifetimes and clock differences.
package struct NumericDate: Sendable, Hashable, Comparable {
    /// 2000-01-01T00:00:00Z to 2100-01-01T00:00:00Z.
    package static let range: ClosedRange<Int64> = 946_684_800...4_102_444_800

    /// Whole seconds since 1970-01-01T00:00:00Z.
    package let secondsSince1970: Int64

    /// Makes a date, or nil outside ``range``.
    package init?(secondsSince1970: Int64) {
        guard Self.range ~= secondsSince1970 else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

    /// Reads a claim: an integer in ``range``.
    ///
    /// - Throws: ``JOSEError`` for anything else, fractions included.
    package init(_ value: JSONValue, claim: String) throws(JOSEError) {
        guard let seconds = value.integer, let date = NumericDate(secondsSince1970: seconds) else {
            throw JOSEError(.invalidClaim, "\(claim) is not a time between 2000 and 2100 in whole seconds")
        }
        self = date
    }

    /// The date as a claim's value.
    package var jsonValue: JSONValue { .integer(secondsSince1970) }

    package static func < (left: NumericDate, right: NumericDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}
