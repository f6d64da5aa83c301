import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of mode 0700 with files of mode 0600.
struct PrivateFolder: Sendable {
    let path: String

    /// The largest file: no session comes near it.
    private static let maximumBytes = 1 << 20

    /// The content of a file; `nil` when it does not exist. A file that others can read loses that permission first.
    func read(_ name: String) throws(BrokerAuthError) -> Data? {
        let file = open(path(of: name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Self.failure("open")
        }
        defer { close(file) }
        try Self.makePrivate(file)
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { Self.read(file, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("read") }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer.prefix(count))
            guard content.count <= Self.maximumBytes else { throw .storageFailed("read: the file is too large") }
        }
    }

    /// Replaces a file: readers see the old content or the new, also after a crash.
    func replace(_ name: String, with content: Data) throws(BrokerAuthError) {
        try create()
        let temporary = "\(name).\(UUID().uuidString).new"
        let file = open(path(of: temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("create") }
        do throws(BrokerAuthError) {
            defer { close(file) }
            try Self.write(content, to: file)
            guard fsync(file) == 0 else { throw Self.failure("fsync") }
        } catch {
            unlink(path(of: temporary))
            throw error
        }
        do throws(BrokerAuthError) {
            try rename(temporary, to: name)
        } catch {
            unlink(path(of: temporary))
            throw error
        }
    }

    /// Renames a file, durably.
    func rename(_ name: String, to other: String) throws(BrokerAuthError) {
        guard Self.rename(path(of: name), path(of: other)) == 0 else { throw Self.failure("rename") }
        try flush()
    }

    /// Removes a file, durably. One that does not exist counts as removed.
    func remove(_ name: String) throws(BrokerAuthError) {
        guard unlink(path(of: name)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw Self.failure("unlink")
        }
        try flush()
    }

    /// The names of the files; none when the folder does not exist.
    func names() throws(BrokerAuthError) -> [String] {
        if let names = try? FileManager.default.contentsOfDirectory(atPath: path) { return names }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return []
        }
        throw .storageFailed("list the folder")
    }

    /// Opens a lock file.
    func openLock(_ name: String) throws(BrokerAuthError) -> FileLock {
        try create()
        let file = open(path(of: name), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("open the lock") }
        return FileLock(file)
    }

    /// Creates the folder, and takes it from others if it is shared with them.
    private func create() throws(BrokerAuthError) {
        let parent = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("mkdir") }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure("open the folder") }
        defer { close(folder) }
        try Self.makePrivate(folder)
    }

    private func flush() throws(BrokerAuthError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure("open the folder") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.failure("fsync the folder") }
    }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    /// Refuses what belongs to another user, and removes the permissions of others.
    private static func makePrivate(_ file: Int32) throws(BrokerAuthError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("fstat") }
        guard status.st_uid == geteuid() else { throw .storageFailed("the file belongs to another user") }
        guard status.st_mode & 0o077 != 0 else { return }
        guard fchmod(file, status.st_mode & 0o700) == 0 else { throw failure("fchmod") }
    }

    private static func write(_ content: Data, to file: Int32) throws(BrokerAuthError) {
        var rest = Array(content)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ operation: String) -> BrokerAuthError {
        .storageFailed("\(operation): \(String(cString: strerror(errno)))")
    }
}

// The names of the C functions are also those of methods.
extension PrivateFolder {
    private static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.read(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
            Glibc.read(file, buffer.baseAddress, buffer.count)
        #else
            Musl.read(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func write(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
            Glibc.write(file, buffer.baseAddress, buffer.count)
        #else
            Musl.write(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func rename(_ old: String, _ new: String) -> Int32 {
        #if canImport(Darwin)
            Darwin.rename(old, new)
        #elseif canImport(Glibc)
            Glibc.rename(old, new)
        #else
            Musl.rename(old, new)
        #endif
    }
}
