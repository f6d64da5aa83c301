import Dispatch
import Synchronization

/// Decides whether point reads may run on the threads of those who ask: not while the disk keeps them waiting.
final class PointReadPace: Sendable {
    /// The mean of the latest reads, in nanoseconds, from which on they are left to the store's threads.
    private static let longestMean: UInt64 = 500_000
    /// The time after which they are tried again.
    private static let pause: UInt64 = 1_000_000_000
    /// Of so many reads the mean is taken, so that one which lost the processor does not count as a slow disk.
    private static let window: UInt64 = 64

    // Concurrent reads may overwrite each other's part of the mean, which is an estimate anyway.
    private let mean = Atomic<UInt64>(0)
    private let pausedUntil = Atomic<UInt64>(0)

    /// Whether the disk was slow a moment ago.
    var isPaused: Bool { DispatchTime.now().uptimeNanoseconds < pausedUntil.load(ordering: .relaxed) }

    /// Runs `read` and learns from the time it takes; nil during a pause.
    func measuring<T>(_ read: () throws -> T?) rethrows -> T? {
        let start = DispatchTime.now().uptimeNanoseconds
        guard start >= pausedUntil.load(ordering: .relaxed) else { return nil }
        defer { learn(from: start, to: DispatchTime.now().uptimeNanoseconds) }
        return try read()
    }

    /// Takes a read into account.
    func learn(from start: UInt64, to end: UInt64) {
        let mean = mean.load(ordering: .relaxed)
        let next = mean - mean / Self.window + (end - min(start, end)) / Self.window
        self.mean.store(next < Self.longestMean ? next : 0, ordering: .relaxed)
        if next >= Self.longestMean { pausedUntil.store(end + Self.pause, ordering: .relaxed) }
    }
}
