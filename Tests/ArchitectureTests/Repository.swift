import Foundation
import Synchronization

/// The working copy these tests were compiled from.
enum Repository {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file, named from the root.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Every Swift file below the given folders, in the order of their paths.
    ///
    /// - Throws: When a folder cannot be read or holds no Swift file: then its rules would be kept by nothing.
    static func swiftFiles(below folders: String...) throws -> [SourceFile] {
        try folders.flatMap { folder in
            let found = try allSwiftFiles(in: String(folder.prefix { $0 != "/" })).filter {
                $0.path.hasPrefix(folder + "/")
            }
            guard !found.isEmpty else { throw Failure(description: "\(folder) holds no Swift file") }
            return found
        }
    }

    /// Read once: most rules go through all of them.
    private static let swiftFiles = Mutex<[String: [SourceFile]]>([:])

    private static func allSwiftFiles(in folder: String) throws -> [SourceFile] {
        try swiftFiles.withLock { known in
            if let files = known[folder] { return files }
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.sorted()
            let files = try paths.map { SourceFile(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
            known[folder] = files
            return files
        }
    }

    /// The names of the folders directly in a folder.
    static func folders(in folder: String) throws -> [String] {
        let contents = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey],
            options: .skipsHiddenFiles)
        return contents.filter(\.hasDirectoryPath).map(\.lastPathComponent).sorted()
    }
}
