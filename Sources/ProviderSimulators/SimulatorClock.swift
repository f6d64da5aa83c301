public import Foundation
import Synchronization

/// The time a simulator lives in: codes, tokens and rate limits expire by it.
///
/// Several simulators may share one clock. Nothing waits for it; moving it takes effect on the next request.
public final class SimulatorClock: Sendable {
    private enum Reading {
        /// Follows the machine's clock at a distance, in seconds.
        case running(offset: TimeInterval)
        case stopped(at: Date)
    }

    private let reading: Mutex<Reading>

    private init(_ reading: Reading) {
        self.reading = Mutex(reading)
    }

    /// A new clock that follows the machine's. It may be moved; it then runs on from there.
    public static var system: SimulatorClock { SimulatorClock(.running(offset: 0)) }

    /// A new clock that stands still until it is moved.
    public static func stopped(at date: Date) -> SimulatorClock { SimulatorClock(.stopped(at: date)) }

    /// The current time.
    public var now: Date {
        reading.withLock { reading in
            switch reading {
            case .running(let offset): Date(timeIntervalSinceNow: offset)
            case .stopped(let date): date
            }
        }
    }

    /// Moves the clock by `seconds`; a negative number moves it back.
    public func advance(by seconds: TimeInterval) {
        reading.withLock { reading in
            switch reading {
            case .running(let offset): reading = .running(offset: offset + seconds)
            case .stopped(let date): reading = .stopped(at: date.addingTimeInterval(seconds))
            }
        }
    }

    /// Moves the clock by `duration`.
    public func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        advance(by: TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18)
    }

    /// Sets the clock to `date`. A running clock runs on from there.
    public func set(to date: Date) {
        reading.withLock { reading in
            switch reading {
            case .running: reading = .running(offset: date.timeIntervalSinceNow)
            case .stopped: reading = .stopped(at: date)
            }
        }
    }
}
