import CoreMetrics
import Foundation
import Synchronization

/// The operating system's figures of this process, where it has `/proc`.
final class ProcessMetrics: Sendable {
    private let cpu = FloatingPointCounter(label: "process_cpu_seconds_total")
    private let resident = Gauge(label: "process_resident_memory_bytes")
    private let virtual = Gauge(label: "process_virtual_memory_bytes")
    private let files = Gauge(label: "process_open_fds")
    private let maximumFiles = Gauge(label: "process_max_fds")
    private let start = Gauge(label: "process_start_time_seconds")
    private let counted = Mutex(0.0)
    /// Seconds since 1970 at which the machine started. Files without a size that are longer than one read, as this one is on a
    /// machine of many processors, are read whole by `FileHandle` alone.
    private let bootTime = (try? FileHandle(forReadingFrom: URL(filePath: "/proc/stat")).readToEnd())
        .flatMap { String(decoding: $0, as: UTF8.self).firstMatch(of: /(?m)^btime ([0-9]+)$/) }.flatMap { Double($0.1) }

    init(version: String) {
        Gauge(label: "broker_build_info", dimensions: [("version", version)]).record(1)
    }

    /// Reads them anew.
    func collect() {
        maximumFiles.record(Double(max(sysconf(Int32(_SC_OPEN_MAX)), 0)))
        if let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            files.record(names.count)
        }
        // Behind the name in parentheses, which may contain anything (proc(5)): utime and stime are fields 14 and 15,
        // starttime 22, vsize 23, rss 24.
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return }
        let fields = stat[end...].split(separator: " ").dropFirst().map { Double($0) ?? 0 }
        guard fields.count > 21 else { return }
        let ticks = Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        let seconds = (fields[11] + fields[12]) / ticks
        let more = counted.withLock { counted in
            defer { counted = max(seconds, counted) }
            return seconds - counted
        }
        if more > 0 { cpu.increment(by: more) }
        if let bootTime { start.record(bootTime + fields[19] / ticks) }
        virtual.record(fields[20])
        resident.record(fields[21] * Double(max(sysconf(Int32(_SC_PAGESIZE)), 1)))
    }
}
