import Synchronization

/// A keyed hash of what a limit counts, such as an address.
struct RateKey: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter bytes: At least 16, uniformly distributed.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
    }
}

/// Counts the events of keys in a sliding window, in memory of a bounded size.
///
/// A key has the counts of the current window and of the one before; the latter weighs as much as is left of it in the
/// sliding window. The table has sets of eight entries. A new key in a full set replaces the key with the smallest
/// count, so a key that is at its limit is not replaced by any number of new keys: the eight others of its set, which
/// only the holder of the hash key can find, would have to count more.
final class RateCounters: Sendable {
    fileprivate struct Entry {
        var key: RateKey
        /// The number of the current window since 1970.
        var window: Int64
        var current: UInt32 = 0
        var previous: UInt32 = 0
        /// Those of other brokers, as of the last exchange.
        var others: UInt32 = 0
        var othersPrevious: UInt32 = 0
        /// The part of the two that other brokers know.
        var sent: UInt32 = 0
        var sentPrevious: UInt32 = 0
    }

    private final class Shard: Sendable {
        /// Empty until a key counts here, and again once no key does.
        let entries = Mutex<[Entry?]>([])
    }

    private static let shardCount = 16
    private static let ways = 8

    /// Milliseconds of a window.
    let window: Int64
    private let shards: [Shard]
    private let setsPerShard: Int

    /// - Parameters:
    ///   - window: Its duration.
    ///   - capacity: The number of keys, a multiple of 128.
    init(window: Duration, capacity: Int) {
        self.window = max(window.components.seconds, 1) * 1000
        setsPerShard = max(capacity / (Self.shardCount * Self.ways), 1)
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// Whether it holds no memory for counts.
    var isEmpty: Bool { shards.allSatisfy { $0.entries.withLock(\.isEmpty) } }

    /// Counts an event, unless the key is at its limit.
    ///
    /// - Parameters:
    ///   - key: What it counts against.
    ///   - limit: The maximum number in a window.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Nil when it was counted, otherwise the seconds until there is room.
    func take(_ key: RateKey, limit: Int, at now: Int64) -> Int? {
        withEntries(of: key) { entries, set -> Int? in
            let index = index(of: key, in: &entries, set, at: now / window)
            if let seconds = secondsUntilRoom(entries[index], limit: limit, at: now) { return seconds }
            entries[index]?.current += 1
            return nil
        }
    }

    /// The same without counting.
    func isFull(_ key: RateKey, limit: Int, at now: Int64) -> Int? {
        withEntries(of: key) { entries, set -> Int? in
            guard !entries.isEmpty, let index = set.first(where: { entries[$0]?.key == key }) else { return nil }
            entries[index]?.advance(to: now / window)
            return secondsUntilRoom(entries[index], limit: limit, at: now)
        }
    }

    private func withEntries<Value>(of key: RateKey, _ body: (inout [Entry?], Range<Int>) -> Value) -> Value {
        let set = Int(key.low >> 8 & 0xFF_FFFF) % setsPerShard * Self.ways
        return shards[Int(key.low % UInt64(Self.shardCount))].entries.withLock { body(&$0, set..<(set + Self.ways)) }
    }

    private func index(of key: RateKey, in entries: inout [Entry?], _ set: Range<Int>, at window: Int64) -> Int {
        if entries.isEmpty { entries = Array(repeating: nil, count: setsPerShard * Self.ways) }
        if let found = set.first(where: { entries[$0]?.key == key }) {
            entries[found]?.advance(to: window)
            return found
        }
        let index =
            set.min {
                (entries[$0]?.weight(at: window) ?? -1) < (entries[$1]?.weight(at: window) ?? -1)
            } ?? set.lowerBound
        entries[index] = Entry(key: key, window: window)
        return index
    }

    private func secondsUntilRoom(_ entry: Entry?, limit: Int, at now: Int64) -> Int? {
        guard let entry else { return nil }
        let passed = Double(now - now / window * window) / Double(window)
        let (current, previous) = (Double(entry.current) + Double(entry.others), entry.earlier)
        let room = Double(limit) - 1
        guard current + previous * (1 - passed) > room else { return nil }
        // Either what is left of the earlier window shrinks enough, or this one has to become the earlier one first.
        let wait =
            current <= room
            ? 1 - (room - current) / max(previous, 1) - passed : 2 - max(room, 0) / max(current, 1) - passed
        // Rounding must not add a second.
        return max(1, Int((wait * Double(window) / 1000 - 1e-6).rounded(.up)))
    }
}

extension RateCounters.Entry {
    fileprivate var earlier: Double { Double(previous) + Double(othersPrevious) }

    /// The weight of the entry: zero after its windows.
    fileprivate func weight(at now: Int64) -> Double {
        switch now - window {
        case ...0: Double(current) + Double(others) + Double(previous) + Double(othersPrevious)
        case 1: Double(current) + Double(others)
        default: -1
        }
    }

    /// A clock that was set back does not free a key.
    fileprivate mutating func advance(to now: Int64) {
        guard now != window else { return }
        if now == window + 1 {
            (previous, othersPrevious, sentPrevious) = (current, others, sent)
        } else if now > window {
            (previous, othersPrevious, sentPrevious) = (0, 0, 0)
        }
        if now > window { (current, others, sent) = (0, 0, 0) }
        window = now
    }
}

extension RateCounters {
    /// The count of a key in one window.
    struct Count: Sendable {
        let key: RateKey
        /// Milliseconds since 1970.
        let windowStart: Int64
        let count: Int64
    }

    /// The counts that other brokers were not told of and that matter to them, until ``markSent(_:)``.
    ///
    /// Gives memory back in which all windows have passed.
    ///
    /// - Parameters:
    ///   - minimum: Smaller counts do not matter.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The counts of the current and of the earlier window.
    func unsent(atLeast minimum: Int, at now: Int64) -> [Count] {
        var result: [Count] = []
        let number = now / window
        for shard in shards {
            shard.entries.withLock { entries in
                for index in entries.indices where entries[index] != nil {
                    entries[index]?.advance(to: number)
                    guard let entry = entries[index] else { continue }
                    if entry.current >= minimum, entry.current > entry.sent {
                        result.append(Count(key: entry.key, windowStart: number * window, count: Int64(entry.current)))
                    }
                    if entry.previous >= minimum, entry.previous > entry.sentPrevious {
                        result.append(
                            Count(key: entry.key, windowStart: (number - 1) * window, count: Int64(entry.previous)))
                    }
                }
                if !entries.contains(where: { ($0?.weight(at: number) ?? -1) > 0 }) { entries = [] }
            }
        }
        return result
    }

    /// Notes that other brokers were told of a count.
    func markSent(_ count: Count) {
        let (number, value) = (count.windowStart / window, UInt32(clamping: count.count))
        withEntries(of: count.key) { entries, set in
            guard !entries.isEmpty, let index = set.first(where: { entries[$0]?.key == count.key }),
                var entry = entries[index]
            else { return }
            if entry.window == number {
                entry.sent = max(entry.sent, value)
            } else if entry.window == number + 1 {
                entry.sentPrevious = max(entry.sentPrevious, value)
            }
            entries[index] = entry
        }
    }

    /// Takes the counts of other brokers, in place of the earlier ones.
    func adopt(_ count: Count, at now: Int64) {
        let (number, given) = (count.windowStart / window, now / window)
        guard number == given || number == given - 1 else { return }
        let value = UInt32(clamping: count.count)
        withEntries(of: count.key) { entries, set in
            let index = index(of: count.key, in: &entries, set, at: given)
            if number == given { entries[index]?.others = value } else { entries[index]?.othersPrevious = value }
        }
    }
}
