import Foundation
import ProviderKit
import Synchronization

/// Observes providers' answers while a check or a tried sign-in runs: each shows the provider's clock.
///
/// Every request within ``watching(_:)`` is observed, so plugins need no code for it.
final class UpstreamObservation: Sendable {
    @TaskLocal private static var current: UpstreamObservation?

    /// What was observed besides the clock.
    struct Record: Sendable {
        fileprivate(set) var exchanges: [ObservedExchange] = []
        /// The claims of the ID tokens that were verified.
        fileprivate(set) var idTokens: [JSONObject] = []
        /// What the options selected.
        fileprivate(set) var readings: [ClaimReading] = []
    }

    private let smallestSkew = Mutex<TimeInterval?>(nil)
    /// nil where answers are not recorded: they have tokens and personal data.
    private let recorded: Mutex<Record?>

    init(recordsAnswers: Bool = false) {
        recorded = Mutex(recordsAnswers ? Record() : nil)
    }

    /// The answers of a tried sign-in.
    var record: Record { recorded.withLock { $0 ?? Record() } }

    /// Watches everything that is asked while `work` runs.
    func watching<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await Self.$current.withValue(self, operation: work)
    }

    /// Seconds by which the provider's clock is ahead of ours, negative when it is behind; absent when no answer told.
    ///
    /// The smallest one seen: an answer may come from a cache, and is then older than the clock.
    var skew: TimeInterval? { smallestSkew.withLock(\.self) }

    private static func note(_ change: (inout Record) -> Void) {
        current?.recorded.withLock { record in
            if var changed = record {
                change(&changed)
                record = changed
            }
        }
    }

    /// Notes an ID token that was verified.
    static func verified(_ token: VerifiedIDToken) { note { $0.idTokens.append(token.claims) } }

    /// Notes what the options selected in the answers.
    static func read(_ readings: () -> [ClaimReading]) { note { $0.readings += readings() } }

    /// Notes a request without a usable answer.
    static func failed(_ request: UpstreamRequest, _ error: ProviderError) {
        note { $0.exchanges.append(ObservedExchange(request: request, answer: .failure(error))) }
    }

    /// Notes an answer and its `Date` (RFC 9110 §6.6.1).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - response: The answer.
    ///   - sent: When the request left, by our clock.
    ///   - received: When the answer was there.
    static func answered(_ request: UpstreamRequest, _ response: UpstreamResponse, sent: Date, received: Date) {
        note { $0.exchanges.append(ObservedExchange(request: request, answer: .success(response))) }
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

/// A request of a plugin and what came of it.
struct ObservedExchange: Sendable {
    let request: UpstreamRequest
    let answer: Result<UpstreamResponse, ProviderError>
}
