import Foundation

/// What all processors of the machine did since it started, from `/proc/stat`.
package struct MachineActivity: Sendable {
    /// Time in which a processor worked for anybody.
    package let busy: Duration
    /// Time in which a processor of ours worked for another guest of the host.
    package let stolen: Duration

    /// - Returns: `nil` when `text` is not what `/proc/stat` looks like.
    package init?(parsing text: String) {
        let fields = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Int64($0) }
        // user nice system idle iowait irq softirq steal …
        guard text.hasPrefix("cpu "), fields.count >= 8 else { return nil }
        busy = ProcessorClock.ticks(fields[0] + fields[1] + fields[2] + fields[5] + fields[6])
        stolen = ProcessorClock.ticks(fields[7])
    }

    /// - Throws: ``BenchmarkFailure`` where there is no `/proc/stat`.
    package static func now() throws(BenchmarkFailure) -> MachineActivity {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            let activity = MachineActivity(parsing: text)
        else { throw BenchmarkFailure("/proc/stat cannot be read") }
        return activity
    }

    /// Runnable threads of the whole machine, averaged over a minute; 0 where the system does not tell.
    package static var loadAverage: Double {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : 0
    }
}
