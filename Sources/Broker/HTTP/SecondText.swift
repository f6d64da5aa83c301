import Foundation
import Synchronization

/// Text of the present second in UTC, formatted once for everyone who needs it in that second.
final class SecondText: Sendable {
    /// The form of the `Date` header (RFC 9110 §5.6.7).
    static let httpDate = SecondText("%a, %d %b %Y %H:%M:%S GMT")
    /// RFC 3339 without the zone.
    static let timestamp = SecondText("%Y-%m-%dT%H:%M:%S")

    private let format: String
    private let latest = Mutex<(second: Int, text: String)>((.min, ""))

    /// - Parameter format: What `strftime` takes.
    private init(_ format: String) {
        self.format = format
    }

    func callAsFunction(at now: Date) -> String {
        let second = Int(now.timeIntervalSince1970.rounded(.down))
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(of: second)) }
            return latest.text
        }
    }

    private func text(of second: Int) -> String {
        var (time, parts) = (time_t(second), tm())
        gmtime_r(&time, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, strftime(start, buffer.count, format, &parts) > 0 else { return "" }
            return String(cString: start)
        }
    }
}
