import Foundation

/// Time that processors spent on a process, all threads, in user and in kernel mode.
enum ProcessorClock: Sendable {
    /// The process that asks.
    case ownProcess
    /// Another process of this host, by its id.
    case process(Int32)

    /// What was spent since the process began.
    ///
    /// - Throws: ``BenchmarkFailure`` when the process is gone.
    func now() throws(BenchmarkFailure) -> Duration {
        switch self {
        case .ownProcess: return Self.ownUsage()
        case .process(let id): return try Self.usage(of: id)
        }
    }

    /// `RUSAGE_SELF`, a macro on one system and an enumeration on the other.
    private static let wholeProcess: Int32 = 0

    private static func ownUsage() -> Duration {
        var usage = rusage()
        getrusage(Self.wholeProcess, &usage)
        return Duration(usage.ru_utime) + Duration(usage.ru_stime)
    }

    /// Reads `/proc/<id>/stat`, whose fields 14 and 15 count clock ticks; the name in field 2 may contain anything.
    private static func usage(of id: Int32) throws(BenchmarkFailure) -> Duration {
        let path = "/proc/\(id)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), let end = text.lastIndex(of: ")") else {
            throw BenchmarkFailure("\(path) cannot be read: the server process is gone")
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else {
            throw BenchmarkFailure("\(path) has no processor times")
        }
        let ticksPerSecond = Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        return .microseconds((user + system) * 1_000_000 / ticksPerSecond)
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
