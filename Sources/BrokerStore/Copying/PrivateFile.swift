import Foundation

/// A file that only its owner can read, that appears complete or not at all, and that replaces nothing.
enum PrivateFile {
    /// Lends `body` an empty file in a closed folder beside `path`, and gives it that name when it is written.
    ///
    /// - Throws: `.fileExists`, `.unavailable` when the folder refuses; what `body` throws.
    static func create(_ path: String, _ body: (_ draft: String) async throws -> Void) async throws {
        // A link that leads nowhere has the name as well, and is found before everything is copied.
        var status = stat()
        guard lstat(path, &status) != 0 else { throw exists(path) }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let workshop = folder + "/.\(UUID().uuidString)"
        guard mkdir(workshop, 0o700) == 0 else { throw failure(folder) }
        defer { try? FileManager.default.removeItem(atPath: workshop) }
        let draft = workshop + "/draft"
        try makeEmpty(draft)
        try await body(draft)
        try synchronise(draft)
        guard link(draft, path) == 0 else { throw errno == EEXIST ? exists(path) : failure(path) }
        // A new name is durable only after a sync of its folder. Some file systems do not support that.
        try? synchronise(folder)
    }

    /// The bytes of a file; nil where there is none.
    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Makes an empty file in place of what may be there.
    static func makeEmpty(_ path: String) throws(StoreError) {
        unlink(path)
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        close(descriptor)
    }

    /// Lends `body` a closed folder that is removed afterwards.
    static func inFolder<T>(_ body: (_ folder: String) async throws -> T) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.path + "/broker-\(UUID().uuidString)"
        guard mkdir(folder, 0o700) == 0 else { throw failure(folder) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Waits until a file or a folder is on disk.
    private static func synchronise(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private static func exists(_ path: String) -> StoreError {
        StoreError(.fileExists, "\(path) exists and was not touched: name another file, or move it away")
    }

    private static func failure(_ path: String) -> StoreError {
        StoreError(.unavailable, "\(path): \(String(cString: strerror(errno)))")
    }
}
