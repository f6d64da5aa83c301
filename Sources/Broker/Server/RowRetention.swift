import BrokerStore

/// How long rows stay after their end. Never shorter than they could live (see ``HousekeepingClock``).
enum RowRetention {
    /// Pending tokens live an hour, ID tokens as long as their provider says: a day at Apple.
    static let tokens = Duration.seconds(2 * 86_400)
    /// Sign-in attempts and device authorizations live ten minutes, and anyone can begin them.
    static let attempts = Duration.seconds(1200)
    /// An ended session is shown by `broker sessions list` and tells a late refresh why it is refused.
    static let sessions = Duration.seconds(30 * 86_400)

    /// The outcome of a withdrawal is shown by its receipt, and a dead letter can be queued again, with its grant.
    static let withdrawals = Duration.seconds(30 * 86_400)

    /// Statistics show 30 days, of which the first one began earlier.
    static let outcomeCounts = Duration.seconds(32 * 86_400)

    /// A delivered event can be replayed for a day.
    static let events = Duration.seconds(86_400)

    /// The sessions that may go at `present`, and those whose addresses may.
    static func sessionAges(at present: Timestamp, _ rules: SessionRules) -> SessionAges {
        func before(_ lifetime: Duration) -> Timestamp { present.advanced(by: .zero - lifetime - sessions) }
        return SessionAges(
            revokedBy: before(.zero), idleSince: before(SessionRules.idleLifetime),
            createdBy: before(SessionRules.absoluteLifetime), ageless: rules.ageless,
            unseenSince: present.advanced(by: .zero - SessionRules.addressLifetime))
    }
}
