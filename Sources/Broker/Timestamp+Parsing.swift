package import BrokerStore

extension Timestamp {
    /// Reads a date and time as RFC 3339 has it, and as databases write it: `2026-11-22T10:00:00.123456Z`,
    /// `2026-11-22 10:00:00+00`. Without a zone it is UTC; digits beyond milliseconds are ignored.
    package init?(dateText text: String) {
        var parser = DateParser(text)
        guard let milliseconds = parser.milliseconds() else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

private struct DateParser {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8.prefix(64))
    }

    mutating func milliseconds() -> Int64? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            skip("T") || skip(" ") || skip("t"), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
            let second = number(2), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second <= 60, let fraction = fraction(), let zone = zone(), offset == bytes.count
        else { return nil }
        let days = Self.days(year, month, day)
        return ((days * 24 + hour) * 60 + minute - zone) * 60_000 + second * 1000 + fraction
    }

    /// Days since 1970 of a date of the Gregorian calendar; the year begins in March, so that the leap day is its last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let month = (month + 9) % 12
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + day - 719_469
    }

    private mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var (value, scale): (Int64, Int64) = (0, 100)
        let start = offset
        while let digit = digit() {
            value += digit * scale
            scale /= 10
        }
        return offset > start ? value : nil
    }

    /// Minutes east of UTC.
    private mutating func zone() -> Int64? {
        if offset == bytes.count || skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = offset == bytes.count ? 0 : number(2), hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private mutating func number(_ digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func digit() -> Int64? {
        guard offset < bytes.count, (0x30...0x39).contains(bytes[offset]) else { return nil }
        defer { offset += 1 }
        return Int64(bytes[offset] - 0x30)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }
}
