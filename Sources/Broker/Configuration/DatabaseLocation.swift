import BrokerStore
import Foundation
package import ProviderKit

/// Where the broker keeps what it remembers.
package enum DatabaseLocation: Sendable, Hashable {
    /// One file on this machine.
    case sqlite(path: String)
    /// A database that any number of brokers share: a `postgresql://` URL or libpq's `keyword=value` pairs, and how many
    /// connections this process may have.
    case postgreSQL(url: Secret, connections: Int)
}

extension DatabaseLocation {
    /// What may be shown and kept: the file, or the database's name and where it is. Never a password.
    package var name: String {
        switch self {
        case .sqlite(let path): path
        case .postgreSQL(let url, _): Store.publicName(ofPostgreSQL: url.reveal())
        }
    }

    /// What the file says, under `BROKER_DATABASE`, which is a path or a `postgresql://` URL.
    ///
    /// - Throws: ``ConfigurationError`` for an entry that names no place or two.
    init(
        _ entry: ConfigurationFile.Database?, environment: [String: String], in source: String,
        resolve: (String) -> String
    ) throws(ConfigurationError) {
        let connections = entry?.connections ?? PostgreSQLOptions().connections
        guard (1...1000).contains(connections) else {
            throw ConfigurationError(source, at: "/database/connections", "must be between 1 and 1000.")
        }
        if let text = environment["BROKER_DATABASE"] {
            self =
                Self.isURL(text)
                ? .postgreSQL(url: Secret(text), connections: connections) : .sqlite(path: resolve(text))
            return
        }
        switch (entry?.path, entry?.url) {
        case (nil, let url?): self = .postgreSQL(url: url, connections: connections)
        case (let path, nil):
            let path = path ?? "data/broker.sqlite"
            guard !Self.isURL(path) else {
                throw ConfigurationError(
                    source, at: "/database/path", "is a URL, not a file.", fix: #"Write {"url": …} in its place."#)
            }
            self = .sqlite(path: resolve(path))
        default:
            throw ConfigurationError(
                source, at: "/database", "must have one of path and url, not both.",
                fix: #"Write {"path": "data/broker.sqlite"} or {"url": {"env": "DATABASE_URL"}}."#)
        }
    }

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

    private static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }
}
