import Foundation

/// Files that only their owner can read, from their creation on.
enum PrivateFiles {
    /// Writes all files, or none. An existing file is never replaced.
    ///
    /// Each file is written in a private folder beside its path and then linked to the path, which fails if a file
    /// exists.
    ///
    /// - Throws: Foundation's error.
    static func create(_ contents: [String: String], in folder: String) throws {
        let manager = FileManager.default
        let workshop = folder + "/.\(UUID().uuidString)"
        try manager.createDirectory(
            atPath: workshop, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? manager.removeItem(atPath: workshop) }
        var made: [String] = []
        do {
            for (path, text) in contents {
                let draft = workshop + "/draft"
                let isWritten = manager.createFile(
                    atPath: draft, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
                guard isWritten else { throw CocoaError(.fileWriteUnknown) }
                try manager.linkItem(atPath: draft, toPath: path)
                made.append(path)
                try manager.removeItem(atPath: draft)
            }
        } catch {
            for path in made { try? manager.removeItem(atPath: path) }
            throw error
        }
    }

    /// Opens a file for writing that only its owner can read.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - replacing: Whether an existing file is emptied, and made readable by its owner only; otherwise it is refused.
    /// - Returns: nil if the file exists or cannot be written.
    static func writer(_ path: String, replacing: Bool) -> FileHandle? {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (replacing ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { return nil }
        guard fchmod(descriptor, 0o600) == 0 else {
            close(descriptor)
            return nil
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes one file in place of an earlier one, whole or not at all.
    ///
    /// - Throws: Foundation's error; the earlier file is then unchanged.
    static func replace(_ path: String, with text: String) throws {
        let manager = FileManager.default
        let draft = path + ".\(UUID().uuidString)"
        let isWritten = manager.createFile(
            atPath: draft, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(draft, path) == 0 else {
            try? manager.removeItem(atPath: draft)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
