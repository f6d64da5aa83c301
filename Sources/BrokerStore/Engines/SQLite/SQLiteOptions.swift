/// How a SQLite file is used. The defaults are what the broker runs with.
package struct SQLiteOptions: Sendable {
    /// When a commit counts as done.
    package enum Synchronous: String, Sendable {
        /// When it survives a power cut.
        case full = "FULL"
        /// When it survives the end of the process. For benchmarks only.
        case normal = "NORMAL"
    }

    package var synchronous: Synchronous = .full
    /// How long another process may hold the file before an operation gives up with `.busy`.
    package var busyTimeout: Duration = .seconds(5)
    /// How many transactions may read at the same time.
    package var readers = 4
    /// How many concurrent writes may share one commit.
    package var writesPerCommit = 64
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
