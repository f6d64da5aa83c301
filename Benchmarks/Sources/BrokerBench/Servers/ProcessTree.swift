import Foundation

/// A process and its descendants.
enum ProcessTree {
    /// - Returns: `process` and every process that it started, or that those started, and that is there now.
    static func identifiers(of process: Int32) -> [Int32] {
        let children = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return [process] + children.split(separator: " ").compactMap { Int32($0) }.flatMap(identifiers)
    }
}
