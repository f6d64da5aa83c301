import Foundation

/// What the figures were taken on.
struct MachineDescription: Sendable, Encodable {
    let processor: String
    let cores: Int
    let kernel: String
    let system: String
    let memoryFileSystem: String
    let diskFileSystem: String

    init(_ settings: Settings) {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        processor = model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
        cores = ProcessInfo.processInfo.activeProcessorCount
        let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        kernel = release?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown kernel"
        system = ProcessInfo.processInfo.operatingSystemVersionString
        memoryFileSystem = (try? RunFolder.fileSystem(of: settings.memoryFolder)) ?? "unknown"
        diskFileSystem = (try? RunFolder.fileSystem(of: settings.diskFolder)) ?? "unknown"
    }
}
