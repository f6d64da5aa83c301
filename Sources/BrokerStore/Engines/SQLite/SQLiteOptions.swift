import Foundation

/// The settings of a SQLite file. The defaults are those of the broker.
package struct SQLiteOptions: Sendable {
    /// The durability of a commit.
    package enum Synchronous: String, Sendable {
        /// A commit survives a power cut.
        case full = "FULL"
        /// A commit survives the end of the process. For benchmarks only.
        case normal = "NORMAL"
    }

    package var synchronous: Synchronous = .full
    /// The time limit for another process's lock on the file, after which an operation fails with `.busy`.
    package var busyTimeout: Duration = .seconds(5)
    /// The maximum number of concurrent read transactions.
    package var readers = max(ProcessInfo.processInfo.activeProcessorCount, 2)
    /// How many more there may be once the disk was slow.
    package var spareReaders = 14
    /// The maximum number of concurrent writes that share one commit.
    package var writesPerCommit = 64
    /// When an idle writer begins while writes come together, so that they share a commit; nil for at once.
    package var beginsWriting: Postponing?
    /// Growth of the write-ahead log, in pages of 4 KiB, after which it is copied into the file in the background.
    package var checkpointPages = 4096
    /// Length of the write-ahead log, in pages of 4 KiB, from which on it is made to start over.
    package var restartPages = 16384

    package init() {}

    var busyMilliseconds: Int32 { Self.milliseconds(busyTimeout) }

    /// A time-out as SQLite wants it: whole milliseconds, held within what it can keep.
    static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return .max }
        return Int32(clamping: milliseconds.partialValue &+ attoseconds / 1_000_000_000_000_000)
    }
}
