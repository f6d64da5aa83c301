import Broker
import BrokerStore
import Foundation

/// A database as the command line names it: that of a configuration, or a file.
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

    /// What an option says: a configuration file, known by its `.json`, or a SQLite file.
    ///
    /// - Throws: `ConfigurationError`.
    init(argument: String) throws(ConfigurationError) {
        guard argument.hasSuffix(".json") else {
            place = .file(URL(filePath: argument).standardizedFileURL.path)
            return
        }
        // What the environment says about the database is about the one in use.
        var environment = ProcessInfo.processInfo.environment
        environment["BROKER_DATABASE"] = nil
        place = .configured(try Configuration.load(path: argument, environment: environment))
    }

    /// What the operator may be told, and what is kept at the other end of a copy.
    var description: String {
        switch place {
        case .configured(let configuration): configuration.database.name
        case .file(let path): path
        }
    }

    /// Writes a backup. A SQLite file needs not be opened for that, so its schema stays what it is.
    func backUp(to file: String) async throws {
        if case .configured(let configuration) = place, case .sqlite(let path) = configuration.database {
            return try await Store.backUp(sqlite: path, to: file)
        }
        try await withStore { try await $0.backUp(to: file, now: Timestamp(Date())) }
    }

    /// What the tables hold, with the schema of this program. A backup of an earlier broker is brought up to date in a copy.
    ///
    /// - Throws: As ``withStore(mayMake:_:)``.
    func digests() async throws -> [TableDigest] {
        guard case .file(let path) = place, isThere else { return try await withStore { try await $0.digests() } }
        return try await Store.withCurrent(archive: path) { try await $0.digests() }
    }

    /// Opens the database for one piece of work and closes it afterwards. A file is only read.
    ///
    /// - Parameters:
    ///   - mayMake: Whether an empty one may be made where there is none.
    ///   - work: What it is opened for.
    /// - Returns: What `work` returned.
    /// - Throws: ``CommandFailure`` when there is none, a store's error, or what `work` throws.
    func withStore<Value>(mayMake: Bool = false, _ work: (Store) async throws -> Value) async throws -> Value {
        guard mayMake || isThere else {
            throw CommandFailure(code: "NO_DATABASE", "there is no database at \(description)")
        }
        let store = try await open()
        do {
            let value = try await work(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    /// A database of a server is made by its administrator, never by us.
    private var isThere: Bool {
        switch place {
        case .configured(let configuration):
            guard case .sqlite(let path) = configuration.database else { return true }
            return FileManager.default.fileExists(atPath: path)
        case .file(let path): return FileManager.default.fileExists(atPath: path)
        }
    }

    private func open() async throws -> Store {
        switch place {
        case .configured(let configuration):
            try configuration.makeDataFolder()
            return try await Store.open(configuration.database, for: .transfer)
        case .file(let path): return try await Store.open(archive: path)
        }
    }
}
