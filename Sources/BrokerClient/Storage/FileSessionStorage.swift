public import Foundation

/// A ``SessionStorage`` of files that only the user can read, for Linux and command-line tools.
///
/// The folder has mode 0700 and every file 0600. A save writes a new file, flushes it to the disk and renames it. Several
/// processes may share a folder.
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
        let base = state ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
        folder = base.appending(path: name.replacing("/", with: "_"))
    }

    /// Reads an item. A file whose content is damaged is renamed to end in `.damaged` and treated as absent.
    public func load(_ key: StorageKey) async throws(BrokerAuthError) -> StoredItem? {
        throw .storageFailed("not implemented")
    }

    /// Writes an item to a new file and renames it.
    public func save(_ item: StoredItem) async throws(BrokerAuthError) { throw .storageFailed("not implemented") }

    /// Removes the file of an item.
    public func remove(_ key: StorageKey) async throws(BrokerAuthError) { throw .storageFailed("not implemented") }
}
