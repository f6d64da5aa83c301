import BrokerStore
import Testing

@testable import Broker

@Suite("The time that housekeeping uses")
struct HousekeepingClockTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)
    private static let tenYears = Duration.seconds(3652 * 86_400)
    private static let interval = Housekeeping.interval

    /// A broker with a clock of its own, and the lease it finds each time.
    private struct Turns {
        var clock = HousekeepingClock()
        var uptime = Duration.zero
        var row: LeaseRow?
        let holder: String

        init(_ holder: String = "me", after row: LeaseRow? = nil) {
            self.holder = holder
            self.row = row
        }

        /// A turn at a moment, which the broker's clock calls `now`.
        mutating func turn(_ now: Timestamp) -> HousekeepingClock.Trust {
            let trust = clock.turn(after: row, by: holder, now: now, uptime: uptime)
            var position = row?.position
            if case .trusted(_, let horizon) = trust { position = horizon.milliseconds }
            row = LeaseRow(holder: holder, expiresAt: now.advanced(by: .seconds(900)), position: position)
            uptime += HousekeepingClockTests.interval
            return trust
        }
    }

    @Test func `a clock that runs as it should is the present`() {
        var turns = Turns()
        for number in 0..<10 {
            let now = Self.start.advanced(by: Self.interval * number)
            #expect(turns.turn(now) == .trusted(present: now, horizon: now))
        }
    }

    @Test(arguments: [tenYears, .zero - tenYears])
    func `a clock that jumps by ten years is in doubt for an hour`(jump: Duration) {
        var turns = Turns()
        _ = turns.turn(Self.start)
        _ = turns.turn(Self.start.advanced(by: Self.interval))

        for number in 2..<14 {
            let now = Self.start.advanced(by: Self.interval * number).advanced(by: jump)
            #expect(turns.turn(now) == .doubtful, "turn \(number)")
        }
        let now = Self.start.advanced(by: Self.interval * 14).advanced(by: jump)
        guard case .trusted(let present, _) = turns.turn(now) else {
            Issue.record("still in doubt")
            return
        }
        #expect(present <= Self.start.advanced(by: Self.interval * 4))
    }

    @Test func `a clock far ahead moves the present twice as fast as time, not faster`() {
        var turns = Turns()
        _ = turns.turn(Self.start)
        var latest = Self.start
        for number in 1...(30 * 288) {
            let truth = Self.start.advanced(by: Self.interval * number)
            guard case .trusted(let present, _) = turns.turn(truth.advanced(by: Self.tenYears)) else { continue }
            #expect(present <= Self.start.advanced(by: Self.interval * number * 2))
            latest = present
        }
        // It does move: a broker whose past was wrong instead comes to itself.
        #expect(latest > Self.start.advanced(by: .seconds(50 * 86_400)))
    }

    @Test func `a broker that comes back after a week catches up twice as fast as time`() {
        let released = LeaseRow(holder: "gone", expiresAt: Self.start, position: Self.start.milliseconds)
        var turns = Turns(after: released)
        let week = Duration.seconds(7 * 86_400)
        var presents: [Timestamp] = []
        for number in 0...(8 * 288) {
            let now = Self.start.advanced(by: week).advanced(by: Self.interval * number)
            if case .trusted(let present, _) = turns.turn(now) { presents.append(present) }
        }

        #expect(presents.first == Self.start.advanced(by: Self.interval * 2))
        #expect(presents.last == Self.start.advanced(by: week).advanced(by: Self.interval * (8 * 288)))
    }

    @Test(arguments: [Lease.longest + .seconds(1), .zero - HousekeepingClock.largestGap - .seconds(1)])
    func `a lease that another clock wrote raises doubt as often as it comes`(offset: Duration) {
        var turns = Turns()
        for number in 0..<100 {
            let now = Self.start.advanced(by: Self.interval * number)
            turns.row = LeaseRow(holder: "other", expiresAt: now.advanced(by: offset), position: 0)
            #expect(turns.turn(now) == .doubtful)
        }
    }

    @Test func `a correct clock does not trust the time of one that was ahead`() {
        let ahead = Self.start.advanced(by: Self.tenYears)
        var turns = Turns(after: LeaseRow(holder: "other", expiresAt: Self.start, position: ahead.milliseconds))

        #expect(turns.turn(Self.start) == .trusted(present: Self.start, horizon: ahead))
    }
}
