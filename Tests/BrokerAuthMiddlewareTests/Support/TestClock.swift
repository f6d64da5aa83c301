import Foundation
import Synchronization

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let reading = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { reading.withLock { $0 } }
    var seconds: Int64 { Int64(now.timeIntervalSince1970) }

    func advance(_ seconds: Double) { reading.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
