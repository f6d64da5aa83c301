package import BrokerStore
import Foundation
import NIOCore
import NIOPosix
package import ProviderKit

/// The location of the store.
package enum DatabaseLocation: Sendable, Hashable {
    /// One file on this machine.
    case sqlite(path: String)
    /// A database that any number of brokers share: a `postgresql://` URL or libpq's `keyword=value` pairs, and how many
    /// connections this process may have.
    case postgreSQL(url: Secret, connections: Int)
}

extension DatabaseLocation {
    /// The location for logs and lists: the file, or the database's name and server. Never a password.
    package var name: String {
        switch self {
        case .sqlite(let path): path
        case .postgreSQL(let url, _): Store.publicName(ofPostgreSQL: url.reveal())
        }
    }

    /// The list of erasures, in a folder beside the data folder; nil for a server, where a command lists them.
    package var erasureList: String? {
        guard case .sqlite(let path) = self else { return nil }
        return URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path + "-erasures/erasures.jsonl"
    }

    /// Names another database than the file: a path or a `postgresql://` URL.
    package static let variable = "BROKER_DATABASE"

    /// A database as an option names it, the way `BROKER_DATABASE` does; a file relative to the working folder.
    ///
    /// - Throws: ``ConfigurationError`` for a password, which every other user of the host could read.
    package static func commandLine(_ text: String) throws(ConfigurationError) -> String {
        guard !Store.hasPassword(postgreSQL: text) else {
            throw ConfigurationError(
                "--database", "has a password, which every other user of this host could read.",
                fix: #"Write "database": {"url": {"file": …} or {"env": …}} into broker.json, or use ~/.pgpass."#)
        }
        return isURL(text) ? text : URL(filePath: text).standardizedFileURL.path
    }

    /// Whether a text names a PostgreSQL database.
    static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }
}

extension DatabaseLocation {
    /// Refuses a data folder or database file that others on this host can write to. A server is not on this host's
    /// file system.
    ///
    /// - Throws: ``ConfigurationError``.
    func requirePrivateWriting() throws(ConfigurationError) {
        guard case .sqlite(let path) = self else { return }
        try FileExposure.requirePrivateWriting(
            URL(filePath: path).deletingLastPathComponent().path, named: "the data folder")
        for file in [path, path + "-wal", path + "-shm"] {
            try FileExposure.requirePrivateWriting(file, named: "the database")
        }
    }

    /// The database file when others on this host can read it.
    var readableFiles: [String] {
        guard case .sqlite(let path) = self,
            FileExposure.isEnterable(URL(filePath: path).deletingLastPathComponent().path)
        else { return [] }
        return [path].filter(FileExposure.isReadable)
    }
}

extension Configuration {
    /// The files of this broker with secrets or personal data that others on this host can read; those of its providers
    /// are found with their secrets.
    var readableFiles: [String] { (secretFiles?.readable ?? []) + database.readableFiles }
}

extension Store {
    /// Opens the database an operator named, whichever engine it needs.
    ///
    /// - Throws: ``ConfigurationError`` when the file's folder is not there, or a `StoreError`.
    package static func open(_ location: DatabaseLocation, for access: Access = .service) async throws -> Store {
        switch location {
        case .postgreSQL(let url, let connections):
            var options = PostgreSQLOptions()
            options.connections = connections
            return try await open(postgreSQL: url.reveal(), options: options, for: access)
        case .sqlite(let path):
            let folder = URL(filePath: path).deletingLastPathComponent().path
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ConfigurationError(
                    folder, "the folder of the database is not there.",
                    fix:
                        "Correct database.path (or \(DatabaseLocation.variable)), or make the folder: mkdir -m 700 \(folder)"
                )
            }
            try location.requirePrivateWriting()
            var options = SQLiteOptions()
            // A write that begins at once shares no commit with those of the requests that arrived with it.
            options.beginsWriting = { begin in
                guard let eventLoop = MultiThreadedEventLoopGroup.currentEventLoop else { return begin() }
                eventLoop.execute(begin)
            }
            return try await open(sqlite: path, options: options, for: access)
        }
    }
}

extension Configuration {
    /// Creates the data folder if it is beside `broker.json`, as `broker init` lays it out. The operator creates any other
    /// folder: a mistyped path must not become one.
    ///
    /// - Throws: ``ConfigurationError`` when the system refuses.
    package func makeDataFolder() throws(ConfigurationError) {
        guard let folder = dataFolder, !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            // Another process may have been faster.
            guard !FileManager.default.fileExists(atPath: folder) else { return }
            throw ConfigurationError(folder, "the data folder cannot be made.", fix: "Make it, or name another one.")
        }
    }
}
