import Foundation
import ProviderKit

/// What a poll of a device authorization comes to (RFC 8628 §3.5).
enum DevicePoll<Value: Sendable>: Sendable {
    /// The user has approved.
    case granted(Value)
    case pending
    /// The server wants this many seconds between two polls.
    case slowDown(Int)
    /// There was no answer, or none that says anything about the code.
    case unanswered(ProviderError)
}

/// The polls of a device authorization by its client (RFC 8628 §3.4).
struct DevicePolling: Sendable {
    /// The number of polls in a row that may fail before the flow is abandoned.
    static let patience = 5

    private let interval: Int
    private let expires: Date
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - authorization: The device authorization.
    ///   - start: When it was requested.
    ///   - clock: The present.
    init(_ authorization: DeviceAuthorization, from start: Date, clock: @escaping @Sendable () -> Date) {
        interval = authorization.interval
        expires = start.addingTimeInterval(TimeInterval(authorization.expiresIn))
        self.clock = clock
    }

    /// Polls until the user has finished.
    ///
    /// - Parameters:
    ///   - progress: Called before each wait with the seconds that are left.
    ///   - sleep: Waits.
    ///   - poll: Asks once.
    /// - Returns: What the user granted.
    /// - Throws: ``BrokerError/deviceCodeExpired`` when the code expired first, ``BrokerError`` after ``patience`` polls
    ///   without an answer; what `sleep` and `poll` throw.
    func value<Value: Sendable>(
        progress: @Sendable (Int) -> Void, sleep: @Sendable (Duration) async throws -> Void,
        poll: () async throws -> DevicePoll<Value>
    ) async throws -> Value {
        var interval = interval
        var unanswered = 0
        while true {
            let left = Int(expires.timeIntervalSince(clock()).rounded(.up))
            guard left > 0 else { throw BrokerError.deviceCodeExpired }
            progress(left)
            try await sleep(.seconds(min(interval, left)))
            switch try await poll() {
            case .granted(let value): return value
            case .pending: unanswered = 0
            case .slowDown(let wanted):
                unanswered = 0
                // RFC 8628 §3.5: five seconds more, or what the server says when that is longer.
                interval = min(max(wanted, interval + 5), 60)
            case .unanswered(let error):
                unanswered += 1
                guard unanswered < Self.patience else { throw BrokerError(error) }
                // RFC 8628 §3.5: a server that does not answer is asked less often.
                interval = min(max(error.retryAfter ?? 0, interval * 2), 60)
            }
        }
    }
}
