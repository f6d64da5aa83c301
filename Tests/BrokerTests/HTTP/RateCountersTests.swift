import Testing

@testable import Broker

@Suite("counts in a sliding window")
struct RateCountersTests {
    private static let minute: Int64 = 60_000
    /// The beginning of a window.
    private static let start = 30_000_000 * minute

    private static func key(_ number: UInt64) -> RateKey {
        var generator = SeededGenerator(seed: number)
        return RateKey(high: generator.next(), low: generator.next())
    }

    private static func take(
        _ counters: RateCounters, _ times: Int, of key: RateKey, limit: Int, at now: Int64
    ) -> [Int?] {
        (0..<times).map { _ in counters.take(key, limit: limit, at: now) }
    }

    @Test func `a limit is met exactly, and refused events do not count`() {
        let counters = RateCounters(window: .seconds(60), capacity: 128)
        let taken = Self.take(counters, 100, of: Self.key(1), limit: 10, at: Self.start)

        #expect(taken.filter { $0 == nil }.count == 10)
        #expect(taken.dropFirst(10).allSatisfy { $0 != nil })
        #expect(counters.isFull(Self.key(1), limit: 10, at: Self.start) != nil)
        #expect(counters.isFull(Self.key(2), limit: 10, at: Self.start) == nil)
        #expect(counters.take(Self.key(2), limit: 10, at: Self.start) == nil)
    }

    @Test(arguments: [(0, 10), (30_000, 10), (59_999, 10), (0, 1), (45_000, 600)])
    func `an event is counted after the announced seconds and not before`(offset: Int64, limit: Int) throws {
        let counters = RateCounters(window: .seconds(60), capacity: 128)
        let now = Self.start + offset
        let seconds = try #require(Self.take(counters, limit + 1, of: Self.key(1), limit: limit, at: now).last ?? nil)

        #expect((1...120).contains(seconds))
        #expect(counters.isFull(Self.key(1), limit: limit, at: now + Int64(seconds - 1) * 1000) != nil)
        #expect(counters.take(Self.key(1), limit: limit, at: now + Int64(seconds) * 1000) == nil)
    }

    @Test func `the end of a window does not double the limit`() {
        let counters = RateCounters(window: .seconds(60), capacity: 128)
        let before = Self.take(counters, 600, of: Self.key(1), limit: 600, at: Self.start + 59_999)
        let after = Self.take(counters, 600, of: Self.key(1), limit: 600, at: Self.start + 60_001)

        #expect(before.allSatisfy { $0 == nil })
        #expect(after.filter { $0 == nil }.count <= 1)
    }

    @Test func `two windows later a key is as good as new, and a clock set back frees none`() {
        let counters = RateCounters(window: .seconds(60), capacity: 128)
        _ = Self.take(counters, 10, of: Self.key(1), limit: 10, at: Self.start)

        #expect(counters.take(Self.key(1), limit: 10, at: Self.start - 3_600_000) != nil)
        let later = Self.take(counters, 10, of: Self.key(1), limit: 10, at: Self.start + 2 * Self.minute)
        #expect(later.allSatisfy { $0 == nil })
    }

    @Test func `a flood of new keys does not free a key that has met its limit`() {
        let counters = RateCounters(window: .seconds(60), capacity: 1024)
        let busy = (1...20).map { Self.key($0) }
        for key in busy { _ = Self.take(counters, 60, of: key, limit: 60, at: Self.start) }

        for number in 1000..<101_000 { _ = counters.take(Self.key(UInt64(number)), limit: 60, at: Self.start) }

        let isFull = busy.filter { counters.isFull($0, limit: 60, at: Self.start) != nil }
        #expect(isFull.count == busy.count)
    }

    @Test func `counts reach another table once, and are limits there`() throws {
        let (one, other) = (
            RateCounters(window: .seconds(60), capacity: 128), RateCounters(window: .seconds(60), capacity: 128)
        )
        let (busy, idle) = (Self.key(1), Self.key(2))
        _ = Self.take(one, 10, of: busy, limit: 10, at: Self.start)
        _ = Self.take(one, 1, of: idle, limit: 10, at: Self.start)

        let told = one.unsent(atLeast: 2, at: Self.start)
        for count in told { other.adopt(count, at: Self.start) }
        let again = one.unsent(atLeast: 2, at: Self.start)
        for count in told { one.markSent(count) }

        #expect(again.map(\.count) == [10], "until it is known that others can read it")
        #expect(told.map(\.key) == [busy] && told.map(\.count) == [10])
        #expect(one.unsent(atLeast: 2, at: Self.start).isEmpty)
        #expect(other.isFull(busy, limit: 10, at: Self.start) != nil)
        #expect(other.isFull(idle, limit: 10, at: Self.start) == nil)
    }

    @Test func `the last events of a window are told in the next one`() {
        let counters = RateCounters(window: .seconds(60), capacity: 128)
        _ = Self.take(counters, 4, of: Self.key(1), limit: 10, at: Self.start)
        for count in counters.unsent(atLeast: 2, at: Self.start) { counters.markSent(count) }
        _ = Self.take(counters, 4, of: Self.key(1), limit: 10, at: Self.start + 59_000)

        let told = counters.unsent(atLeast: 2, at: Self.start + 61_000)
        for count in told { counters.markSent(count) }

        #expect(told.map(\.windowStart) == [Self.start] && told.map(\.count) == [8])
        #expect(counters.unsent(atLeast: 2, at: Self.start + 61_000).isEmpty)
    }

    @Test func `memory is given back without the counts that still limit`() {
        let counters = RateCounters(window: .seconds(60), capacity: 128)
        _ = Self.take(counters, 10, of: Self.key(1), limit: 10, at: Self.start)

        for passed in [0, Self.minute] {
            _ = counters.unsent(atLeast: 100, at: Self.start + passed)
            #expect(counters.isFull(Self.key(1), limit: 10, at: Self.start + passed) != nil)
            #expect(!counters.isEmpty)
        }
        _ = counters.unsent(atLeast: 100, at: Self.start + 2 * Self.minute)
        #expect(counters.isEmpty)
        #expect(counters.take(Self.key(1), limit: 10, at: Self.start + 2 * Self.minute) == nil)
    }

    @Test func `a key keeps its bytes`() throws {
        let bytes = (0..<16).map { UInt8($0 * 16 + 3) }

        #expect(RateKey(bytes)?.bytes == bytes)
        #expect(RateKey(Array(bytes.dropLast())) == nil)
    }
}
