package import Foundation
import Synchronization

/// Makes the private keys of rows: time-ordered, so that new rows are neighbours on disk. They never leave the broker.
///
/// A key is the number of microseconds since 2020 in the upper 52 bits and 11 random bits of the generator in the
/// lower ones, so that two processes of one microsecond still differ.
package struct KeyGenerator: Sendable {
    private struct State {
        /// The microsecond of the last key.
        var last: Int64 = -1
        var processBits: Int64
    }

    private final class Shared: Sendable {
        let state: Mutex<State>

        init(processBits: Int64) {
            state = Mutex(State(processBits: processBits))
        }
    }

    private static let randomBits: Int64 = 11
    /// 2020-01-01T00:00:00Z in seconds since 1970.
    private static let origin: Double = 1_577_836_800
    /// The year 2091; half of what 52 bits hold, so that counting on from here cannot overflow.
    private static let latest: Int64 = 1 << 51

    private let shared: Shared

    /// A generator with process bits of its own.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// A generator whose process bits come from `generator`.
    package init(using generator: inout some RandomNumberGenerator) {
        shared = Shared(processBits: Self.randomBits(using: &generator))
    }

    /// A key greater than every key this generator made before, even when the clock went back.
    package func next(at now: Date) -> Int64 {
        let microseconds = Self.microseconds(of: now)
        return shared.state.withLock { state in
            state.last = max(microseconds, state.last &+ 1)
            return state.last << Self.randomBits | state.processBits
        }
    }

    /// The time of a clock, or that of the last key when the clock was set back behind it: whatever is written from now on has
    /// a key of this time or a later one.
    package func present(at now: Date) -> Date {
        let last = shared.state.withLock(\.last)
        guard last > Self.microseconds(of: now) else { return now }
        return Date(timeIntervalSince1970: Self.origin + Double(last) / 1_000_000)
    }

    /// Draws other process bits after a key collision, because another process has the same bits.
    func redraw() {
        var generator = SystemRandomNumberGenerator()
        let bits = Self.randomBits(using: &generator)
        shared.state.withLock { $0.processBits = bits }
    }

    private static func randomBits(using generator: inout some RandomNumberGenerator) -> Int64 {
        Int64.random(in: 0..<(1 << randomBits), using: &generator)
    }

    /// A key greater than every key that was made up to `moment` by a clock that was right.
    static func firstKey(after moment: Timestamp) -> Int64 {
        (microseconds(of: moment.date) &+ 1000) << randomBits
    }

    /// The smallest key that can have been made at `moment`.
    package static func firstKey(at moment: Timestamp) -> Int64 { microseconds(of: moment.date) << randomBits }

    /// A text for the time of a key, after which a list goes on. The key itself does not leave the broker.
    package static func cursor(at key: Int64) -> String { String(key >> randomBits) }

    /// The smallest key of the time that a cursor stands for; nil for another text.
    package static func key(ofCursor text: String) -> Int64? {
        Int64(text).flatMap { (0...latest).contains($0) ? $0 << randomBits : nil }
    }

    /// The key that a page of a list precedes, newest first: with a cursor its time, else every key. Nothing follows a cursor
    /// of another list.
    package static func key(before cursor: String?) -> Int64 { cursor.map { key(ofCursor: $0) ?? 0 } ?? .max }

    /// The greatest key of the same time as `key`, after which a list that ascends goes on.
    static func lastKey(ofTimeOf key: Int64) -> Int64 { key | (1 << randomBits - 1) }

    private static func microseconds(of date: Date) -> Int64 {
        let value = ((date.timeIntervalSince1970 - origin) * 1_000_000).rounded(.down)
        let clamped = min(max(value, 0), Double(latest))
        return Int64(exactly: clamped) ?? 0
    }
}
