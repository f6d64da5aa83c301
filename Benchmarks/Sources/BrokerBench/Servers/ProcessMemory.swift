import BenchmarkLoad
import Foundation

/// How much memory a process holds.
struct ProcessMemory: Sendable, Encodable {
    let residentMegabytes: Double
    /// What is shared with other processes counted in parts.
    let proportionalMegabytes: Double

    /// Reads `/proc/<id>/smaps_rollup`.
    init(of process: Int32) throws(BenchmarkFailure) {
        let path = "/proc/\(process)/smaps_rollup"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw BenchmarkFailure("\(path) cannot be read")
        }
        func megabytes(_ name: String) throws(BenchmarkFailure) -> Double {
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
                let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
            else { throw BenchmarkFailure("\(path) has no \(name)") }
            return kilobytes / 1024
        }
        residentMegabytes = try megabytes("Rss")
        proportionalMegabytes = try megabytes("Pss")
    }
}
