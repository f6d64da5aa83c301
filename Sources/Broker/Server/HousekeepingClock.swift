import BrokerStore
import ProviderKit

/// Which moment housekeeping takes for the present. A wrong clock must not destroy what is alive by everybody else's.
///
/// Two rules (Docs/Decisions/0010-housekeeping-and-wrong-clocks.md):
///
/// - The *horizon*, kept with the lease, is as far as anybody may believe that time has passed. It moves twice as fast as
///   time at most, by a clock nobody can set. A row that is kept for as long after its end as it lived is then never
///   removed while it is alive by the right clock, however wrong this one is.
/// - A lease that ended long ago or ends far ahead was written by a clock that disagrees with this one. Which of the two
///   is wrong shows only in time: for an hour nothing is removed, and the hour begins anew as long as the other one
///   keeps on taking the lease.
struct HousekeepingClock: Sendable {
    /// How much faster than time the horizon may catch up.
    static let pace = 2
    /// A lease may have ended so long ago without raising doubt: nobody was there to renew it.
    static let largestGap = Duration.seconds(86_400)
    /// How long nobody may have contradicted before a clock in doubt counts.
    static let probation = Duration.seconds(3600)

    private var lastTurn: Duration?
    private var trustedFrom = Duration.zero

    /// What a turn may do.
    enum Verdict: Sendable, Hashable {
        /// What had ended before `present` may go; `horizon` is to be kept for the next turn.
        case trusted(present: Timestamp, horizon: Timestamp)
        /// Somebody's clock is wrong, and it may be this one.
        case doubtful
    }

    /// Begins a turn of the broker that has the lease.
    ///
    /// - Parameters:
    ///   - row: The lease as it was before this turn.
    ///   - holder: This broker.
    ///   - now: This broker's clock.
    ///   - uptime: How long this broker runs, by a clock nobody can set.
    /// - Returns: What it may do.
    mutating func turn(after row: LeaseRow?, by holder: String, now: Timestamp, uptime: Duration) -> Verdict {
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
