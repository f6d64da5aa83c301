package import BrokerStore
import Foundation
import ProviderKit

extension Store {
    /// Opens the database an operator named, whichever engine it needs.
    ///
    /// - Throws: ``ConfigurationError`` for a data folder that cannot be made, or a `StoreError`.
    package static func open(_ location: DatabaseLocation, for access: Access = .service) async throws -> Store {
        switch location {
        case .postgreSQL(let url, let connections):
            var options = PostgreSQLOptions()
            options.connections = connections
            return try await open(postgreSQL: url.reveal(), options: options, for: access)
        case .sqlite(let path):
            let folder = URL(filePath: path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw ConfigurationError(
                    folder, "the data folder cannot be made.", fix: "Make it, or name another one.")
            }
            try location.requirePrivateWriting()
            return try await open(sqlite: path, for: access)
        }
    }
}
