import Foundation
import ProviderKit
import Synchronization

/// Observes providers' answers while a check runs: each shows the provider's clock.
///
/// Every request within ``watching(_:)`` is observed, so plugins need no code for it.
final class UpstreamObservation: Sendable {
    @TaskLocal private static var current: UpstreamObservation?

    private let smallestSkew = Mutex<TimeInterval?>(nil)

    /// Watches everything that is asked while `work` runs.
    func watching<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await Self.$current.withValue(self, operation: work)
    }

    /// Seconds by which the provider's clock is ahead of ours, negative when it is behind; absent when no answer told.
    ///
    /// The smallest one seen: an answer may come from a cache, and is then older than the clock.
    var skew: TimeInterval? { smallestSkew.withLock(\.self) }

    /// Notes an answer's `Date` (RFC 9110 §6.6.1).
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - sent: When the request left, by our clock.
    ///   - received: When the answer was there.
    static func answered(_ response: UpstreamResponse, sent: Date, received: Date) {
        guard let current, response.header("Age") == nil, let date = response.header("Date").flatMap(format.date(from:))
        else { return }
        // The header counts whole seconds and was written somewhere in between.
        let ahead = date.timeIntervalSince(received)
        let behind = date.addingTimeInterval(1).timeIntervalSince(sent)
        let skew = ahead > 0 ? ahead : behind < 0 ? behind : 0
        current.smallestSkew.withLock { smallest in
            if abs(skew) < smallest.map(abs) ?? .infinity { smallest = skew }
        }
    }

    /// The one form RFC 9110 §5.6.7 lets servers send.
    private static let format: DateFormatter = {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format
    }()
}
