import Foundation

/// What the figures were taken on.
struct Machine: Sendable, Encodable {
    let processor: String
    let cores: Int
    let system: String

    static var this: Machine {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return Machine(
            processor: model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString)
    }
}
