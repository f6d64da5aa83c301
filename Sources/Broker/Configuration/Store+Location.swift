package import BrokerStore
import Foundation
import ProviderKit

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
                    fix: "Correct database.path (or BROKER_DATABASE), or make the folder: mkdir -m 700 \(folder)")
            }
            try location.requirePrivateWriting()
            return try await open(sqlite: path, for: access)
        }
    }
}

extension Configuration {
    /// Makes the data folder where it stands beside `broker.json`, as `broker init` lays it out. A folder anywhere else
    /// is the operator's to make: a path that was mistyped must not become one.
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
