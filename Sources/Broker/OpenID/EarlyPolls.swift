import BrokerStore
import OAuth
import ProviderKit
import Synchronization

/// The device codes that were polled too early, until their interval is over: further early polls cost neither a read nor a
/// write of the store (RFC 8628 §3.5).
///
/// The store knows the interval too, so a code that is forgotten here costs a read. At most ``capacity`` codes are
/// remembered: those that came in before the last half of it are forgotten first.
final class EarlyPolls: Sendable {
    /// The most codes that are remembered, of about 150 bytes each.
    static let capacity = 8192

    private struct Poll {
        let clientID: String
        let until: Timestamp
    }

    /// The longest interval, which also bounds what a clock that is set back does.
    private static let longest = Duration.seconds(60)

    private let polls = Mutex(BoundedMemory<[UInt8], Poll>(capacity: capacity))

    /// When a client's next poll with this code is in time; nil when it may be already.
    func end(of hash: [UInt8], by clientID: String, at now: Timestamp) -> Timestamp? {
        guard let poll = polls.withLock({ $0[hash] }),
            poll.clientID.hasSameBytes(as: clientID), now < poll.until,
            poll.until <= now.advanced(by: Self.longest)
        else { return nil }
        return poll.until
    }

    /// Remembers a code until its next poll is in time.
    func insert(_ hash: [UInt8], by clientID: String, until: Timestamp) {
        polls.withLock { $0.insert(Poll(clientID: clientID, until: until), at: hash) }
    }
}
