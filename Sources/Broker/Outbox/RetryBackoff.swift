/// The waits between the attempts of a row of the outbox.
struct RetryBackoff: Sendable {
    /// The wait after the first failure; it doubles with each further one.
    let first: Duration
    let longest: Duration

    /// The longest wait that the other side may ask for, in seconds.
    static let longestRetryAfter = 6 * 3600

    /// The wait after a failed attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt, from 1.
    ///   - retryAfter: The seconds the other side asks for (`Retry-After`).
    /// - Returns: The wait.
    func wait(afterAttempt attempt: Int64, retryAfter: Int?) -> Duration {
        let doublings = Int(min(max(attempt - 1, 0), 16))
        // Between half of the doubled wait and the whole: brokers and rows do not return at once.
        let wait = min(first * (1 << doublings), longest) * Double.random(in: 0.5...1)
        return max(wait, .seconds(min(max(retryAfter ?? 0, 0), Self.longestRetryAfter)))
    }
}
