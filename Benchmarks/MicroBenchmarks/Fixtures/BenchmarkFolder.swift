import Foundation

/// A folder of its own for everything a run writes.
struct BenchmarkFolder: Sendable {
    let path: String

    /// Makes one in an existing folder; which disk that is on decides what a commit costs.
    init(in parent: String) throws {
        path = parent + "/broker-benchmark-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func file(_ name: String) -> String { path + "/" + name }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
