import BenchmarkLoad
import Foundation

/// A folder of its own for what one round writes.
struct RunFolder: Sendable {
    let path: String

    /// Makes one in an existing folder.
    init(in parent: String) throws {
        path = parent + "/broker-bench-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// A folder in it.
    func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
        return path + "/" + name
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What kind of file system a folder is on, such as `tmpfs` or `ext4`; by the mount point closest to it.
    static func fileSystem(of folder: String) throws -> String {
        let path = URL(filePath: folder).resolvingSymlinksInPath().path + "/"
        let mounts = try String(contentsOfFile: "/proc/mounts", encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }.filter { $0.count > 2 }
        let closest = mounts.filter { path.hasPrefix($0[1] == "/" ? "/" : $0[1] + "/") }
            .max { $0[1].utf8.count < $1[1].utf8.count }
        guard let closest else { throw BenchmarkFailure("no file system holds \(folder)") }
        return String(closest[2])
    }
}
