import Foundation

/// Time that processors spent on processes of this host, all threads, in user and in kernel mode.
package struct ProcessorClock: Sendable {
    private let processes: [Int32]

    package init(of processes: [Int32]) {
        self.processes = processes
    }

    package static var ownProcess: ProcessorClock {
        ProcessorClock(of: [ProcessInfo.processInfo.processIdentifier])
    }

    /// What was spent since they began.
    ///
    /// - Throws: ``BenchmarkFailure`` when one of them is gone.
    package func now() throws(BenchmarkFailure) -> Duration {
        var sum = Duration.zero
        for process in processes { sum += try Self.usage(of: process) }
        return sum
    }

    /// Reads `/proc/<id>/stat`, whose fields 14 and 15 count clock ticks; the name in field 2 may contain anything.
    private static func usage(of id: Int32) throws(BenchmarkFailure) -> Duration {
        let path = "/proc/\(id)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), let end = text.lastIndex(of: ")") else {
            throw BenchmarkFailure("\(path) cannot be read: the process is gone")
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else {
            throw BenchmarkFailure("\(path) has no processor times")
        }
        return ticks(user + system)
    }

    /// A number of the clock ticks that `/proc` counts in.
    static func ticks(_ count: Int64) -> Duration {
        .microseconds(count * 1_000_000 / Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1)))
    }
}
