import Broker
import BrokerStore
import Foundation

/// A database argument: the database of a configuration, or a SQLite file.
struct DatabaseName: Sendable {
    private enum Place {
        case configured(Configuration)
        case file(String)
    }

    private let place: Place

    /// The database of a configuration.
    init(_ configuration: Configuration) {
        place = .configured(configuration)
    }

    /// Parses an option: a path that ends in `.json` is a configuration file, any other a SQLite file.
    ///
    /// - Throws: `ConfigurationError`.
    init(argument: String) throws(ConfigurationError) {
        guard argument.hasSuffix(".json") else {
            place = .file(URL(filePath: argument).standardizedFileURL.path)
            return
        }
        // What the environment says about the database is about the one in use.
        var environment = ProcessInfo.processInfo.environment
        environment[DatabaseLocation.variable] = nil
        place = .configured(try Configuration.load(path: argument, environment: environment))
    }

    /// The database's name for output and for the record that a copy writes, without a password.
    var description: String {
        switch place {
        case .configured(let configuration): configuration.database.name
        case .file(let path): path
        }
    }

    /// Writes a backup. A SQLite file is copied without a migration.
    func backUp(to file: String, report: @escaping @Sendable (StoreProgress) -> Void) async throws {
        if case .configured(let configuration) = place, case .sqlite(let path) = configuration.database {
            return try await Store.backUp(sqlite: path, to: file, report: report)
        }
        try await withStore { try await $0.backUp(to: file, now: Timestamp(Date()), report: report) }
    }

    /// Digests the tables in the current schema. A backup of an earlier version is migrated in a temporary copy.
    ///
    /// - Throws: As ``withStore(mayMake:_:)``.
    func digests(report: @escaping @Sendable (StoreProgress) -> Void) async throws -> [TableDigest] {
        guard case .file(let path) = place, isThere else {
            return try await withStore { try await $0.digests(report: report) }
        }
        return try await Store.withCurrent(archive: path) { try await $0.digests(report: report) }
    }

    /// Opens the database for `work` and closes it afterwards. A file is opened read-only.
    ///
    /// - Parameters:
    ///   - mayMake: Whether a missing database may be created.
    ///   - access: What a configured database is opened for.
    ///   - work: The work on the open store.
    /// - Returns: The result of `work`.
    /// - Throws: ``CommandFailure`` when the database is missing, `StoreError`, or the error of `work`.
    func withStore<Value>(
        mayMake: Bool = false, for access: Store.Access = .transfer, _ work: (Store) async throws -> Value
    ) async throws -> Value {
        guard mayMake || isThere else {
            throw CommandFailure(code: "NO_DATABASE", "there is no database at \(description)")
        }
        let store = try await open(for: access)
        do {
            let value = try await work(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    /// Whether a SQLite file is missing; the broker never creates a PostgreSQL database.
    private var isThere: Bool {
        switch place {
        case .configured(let configuration):
            guard case .sqlite(let path) = configuration.database else { return true }
            return FileManager.default.fileExists(atPath: path)
        case .file(let path): return FileManager.default.fileExists(atPath: path)
        }
    }

    private func open(for access: Store.Access) async throws -> Store {
        switch place {
        case .configured(let configuration):
            try configuration.makeDataFolder()
            return try await Store.open(configuration.database, for: access)
        case .file(let path): return try await Store.open(archive: path)
        }
    }
}
