import Crypto
public import Foundation
import JOSE

/// A ``SessionStorage`` of files that only the user can read, for Linux and command-line tools.
///
/// The folder has mode 0700 and every file 0600. A save writes a new file, flushes it to the disk and renames it. Several
/// processes may share a folder. Symbolic links are not followed.
public struct FileSessionStorage: SessionStorage {
    /// The folder of the files.
    public let folder: URL

    /// A storage in `folder`, which is created with the first save.
    ///
    /// - Parameter folder: The folder; its parent must exist or be creatable.
    public init(folder: URL) { self.folder = folder }

    /// A storage in the user's folder for state: `$XDG_STATE_HOME/<name>`, by default `~/.local/state/<name>`.
    ///
    /// - Parameter name: The name of the app, a single path component.
    public init(appName name: String) {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        let base = state ?? URL(filePath: NSHomeDirectory()).appending(path: ".local/state")
        folder = base.appending(path: name.replacing("/", with: "_"))
    }

    /// Reads an item. A file whose content is damaged is renamed to end in `.damaged` and treated as absent.
    public func load(_ key: StorageKey) async throws(BrokerAuthError) -> StoredItem? {
        let folder = PrivateFolder(path: folder.path(percentEncoded: false))
        let name = Self.name(of: key)
        guard let bytes = try folder.read(name) else { return nil }
        guard let content = StorageFrame.content(of: bytes) else {
            try folder.rename(name, to: name + ".damaged")
            return nil
        }
        return StoredItem(key: key, content: content)
    }

    /// Writes an item to a new file and renames it.
    public func save(_ item: StoredItem) async throws(BrokerAuthError) {
        try PrivateFolder(path: folder.path(percentEncoded: false))
            .replace(Self.name(of: item.key), with: StorageFrame.bytes(of: item.content))
    }

    /// Removes the file of an item, and the files that damage and interrupted saves have left of it.
    public func remove(_ key: StorageKey) async throws(BrokerAuthError) {
        let folder = PrivateFolder(path: folder.path(percentEncoded: false))
        let name = Self.name(of: key)
        try folder.remove(name)
        for other in try folder.names() where other.hasPrefix(name + ".") && !other.hasSuffix(Self.lockSuffix) {
            try folder.remove(other)
        }
    }

    /// Runs `body` under an exclusive lock of a file beside the item's, which the system releases when the process ends.
    ///
    /// - Throws: ``BrokerAuthError/storageLocked`` when another process keeps the lock for a minute,
    ///   ``BrokerAuthError/cancelled``.
    public func withExclusiveAccess<Value: Sendable>(
        to key: StorageKey, _ body: @Sendable () async -> Value
    ) async throws(BrokerAuthError) -> Value {
        let lock = try PrivateFolder(path: folder.path(percentEncoded: false)).openLock(
            Self.name(of: key) + Self.lockSuffix)
        defer { lock.close() }
        try await lock.acquire()
        return await body()
    }

    private static let lockSuffix = ".lock"

    private static func name(of key: StorageKey) -> String {
        SHA256.hexadecimalHash(of: Data("\(key.service)\n\(key.account)".utf8)).prefix(32) + ".session"
    }
}
