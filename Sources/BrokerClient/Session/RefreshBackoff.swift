import Foundation

/// When a failed refresh may be repeated.
struct RefreshBackoff: Sendable {
    private var failures = 0
    private var failedAt = Date.distantPast
    private var notBefore = Date.distantPast
    private var error: BrokerAuthError?

    /// Seconds between two attempts at most.
    private static let limit: TimeInterval = 300

    /// The error of the last attempt while it is too early for another. A clock that was set back ends the wait.
    func refusal(at now: Date) -> BrokerAuthError? { failedAt <= now && now < notBefore ? error : nil }

    mutating func succeed() { self = RefreshBackoff() }

    /// Waits 1, 2, 4 … seconds, half of it by chance so that devices do not come back at one time, or what the broker
    /// asks for.
    mutating func fail(_ error: BrokerAuthError, at now: Date, random: Double) {
        let retryAfter: Duration?
        switch error {
        case .network(let failure): retryAfter = failure.retryAfter
        // Every attempt rotates the refresh token.
        case .invalidToken: retryAfter = nil
        default: return
        }
        failures += 1
        let pause = min(exp2(Double(min(failures, 16) - 1)), Self.limit) * (0.5 + random / 2)
        let asked = retryAfter.map { TimeInterval($0.components.seconds) } ?? 0
        failedAt = now
        notBefore = now.addingTimeInterval(max(pause, asked))
        self.error = error
    }
}
