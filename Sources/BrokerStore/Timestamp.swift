package import Foundation

/// A moment, as the store keeps it: whole milliseconds since 1970 (UTC).
@usableFromInline
package struct Timestamp: Sendable, Hashable {
    /// Milliseconds since 1970, negative before it.
    package let milliseconds: Int64

    /// A moment so many milliseconds after 1970.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A moment so many seconds after 1970, held within what the store can keep.
    package init(seconds: Int64) {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflows ? (seconds < 0 ? .min : .max) : product
    }

    /// The millisecond in which `date` lies, held within what the store can keep.
    package init(_ date: Date) {
        let value = (date.timeIntervalSince1970 * 1000).rounded(.down)
        milliseconds = Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The same moment as Foundation's type.
    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The moment `duration` later (earlier, when it is negative), held within what the store can keep.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let whole = Timestamp(seconds: seconds).milliseconds
        let (step, stepOverflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        let (sum, overflows) = milliseconds.addingReportingOverflow(step)
        guard stepOverflows || overflows else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: seconds < 0 ? .min : .max)
    }
}

extension Timestamp: Comparable {
    @usableFromInline
    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
