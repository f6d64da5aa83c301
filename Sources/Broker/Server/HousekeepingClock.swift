import BrokerStore
import ProviderKit

/// The moment that housekeeping takes for the present. A wrong clock must not remove rows that are valid by the others'.
///
/// Two rules (Docs/Decisions/0010-housekeeping-and-wrong-clocks.md):
///
/// - The *horizon*, stored with the lease, is the latest moment that any broker may take for the present. It moves at most
///   twice as fast as a monotonic clock. A row that stays after its end for as long as it lived is then never removed
///   while it is valid by the right clock, however wrong this one is.
/// - A lease that ended long ago or ends far ahead was written by a clock that disagrees with this one. Which of the two
///   is wrong shows only in time: for an hour nothing is removed, and the hour begins anew as long as the other one
///   keeps on taking the lease.
struct HousekeepingClock: Sendable {
    /// How much faster than time the horizon may catch up.
    static let pace = 2
    /// A lease that ended up to this long ago raises no doubt: no broker may have run since.
    static let largestGap = Duration.seconds(86_400)
    /// The time without contradiction after which a clock in doubt is trusted.
    static let probation = Duration.seconds(3600)

    private var lastTurn: Duration?
    private var trustedFrom = Duration.zero

    /// Whether a turn may remove rows by the clock.
    enum Trust: Sendable, Hashable {
        /// Rows that ended before `present` may be removed; `horizon` is stored for the next turn.
        case trusted(present: Timestamp, horizon: Timestamp)
        /// One broker's clock is wrong, and it may be this one's.
        case doubtful
    }

    /// The clock after a turn has begun.
    struct Turn: Sendable {
        let clock: HousekeepingClock
        let trust: Trust
    }

    /// Begins a turn of the broker that has the lease.
    ///
    /// - Parameters:
    ///   - row: The lease as it was before this turn.
    ///   - holder: This broker.
    ///   - now: This broker's clock.
    ///   - uptime: The time this broker has run, by a monotonic clock.
    /// - Returns: Whether it may remove rows.
    mutating func turn(after row: LeaseRow?, by holder: String, now: Timestamp, uptime: Duration) -> Trust {
        let last = lastTurn
        lastTurn = uptime
        guard let row else { return .trusted(present: now, horizon: now) }
        if row.expiresAt > now.advanced(by: Lease.longest)
            || row.expiresAt.advanced(by: Self.largestGap) < now
        {
            trustedFrom = uptime + Self.probation
        }
        guard uptime >= trustedFrom else { return .doubtful }
        guard let position = row.position.map(Timestamp.init(milliseconds:)) else {
            return .trusted(present: now, horizon: now)
        }
        // What passed while others had the lease, they have counted.
        let elapsed = row.holder.hasSameBytes(as: holder) ? last.map { uptime - $0 } ?? .zero : .zero
        let horizon = max(position, min(now, position.advanced(by: elapsed * Self.pace)))
        return .trusted(present: min(now, horizon), horizon: horizon)
    }
}
