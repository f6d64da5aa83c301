import Foundation

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
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.sorted()
            guard !paths.isEmpty else { throw Failure(description: "\(folder) holds no Swift file") }
            return try paths.map { SourceFile(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
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
