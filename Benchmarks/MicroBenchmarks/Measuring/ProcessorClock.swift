import Foundation

/// Time that processors spent on this process, all threads, in user and in kernel mode.
enum ProcessorClock {
    /// `RUSAGE_SELF`, a macro on one system and an enumeration on the other.
    private static let wholeProcess: Int32 = 0

    /// What was spent since the process began.
    static func now() -> Duration {
        var usage = rusage()
        getrusage(Self.wholeProcess, &usage)
        return Duration(usage.ru_utime) + Duration(usage.ru_stime)
    }
}

extension Duration {
    fileprivate init(_ time: timeval) {
        self = .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }

    /// The duration as a number of microseconds.
    var microseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }
}
