import BrokerStore
import PostgreSQLTesting

/// Lends a new, empty store of one of the engines to `body`, closes and removes it afterwards.
func withStore<T>(_ engine: TestEngine, _ body: (Store) async throws -> T) async throws -> T {
    switch engine {
    case .sqlite: try await withStore(SQLiteOptions(), body)
    case .postgreSQL: try await withDatabase { store, _ in try await body(store) }
    }
}

/// Lends one new, empty store of one of the engines to `body` as two processes would have it.
func withTwoStores(_ engine: TestEngine, _ body: (Store, Store) async throws -> Void) async throws {
    func open(_ second: Store, beside first: Store) async throws {
        do {
            try await body(first, second)
            await second.close()
        } catch {
            await second.close()
            throw error
        }
    }
    switch engine {
    case .sqlite: try await withStoreFile { try await open(try await Store.open(sqlite: $1), beside: $0) }
    case .postgreSQL: try await withDatabase { try await open(try await Store.open(postgreSQL: $1), beside: $0) }
    }
}

/// Lends a new, empty store in a PostgreSQL database to `body`, with its connection string.
func withDatabase<T>(
    _ options: PostgreSQLOptions = PostgreSQLOptions(), _ body: (Store, String) async throws -> T
) async throws -> T {
    let url = try await PostgreSQLServer.shared.newDatabase()
    let result: Result<T, any Error>
    do {
        let store = try await Store.open(postgreSQL: url, options: options, now: .noon)
        do {
            result = .success(try await body(store, url))
        } catch {
            result = .failure(error)
        }
        await store.close()
    } catch {
        result = .failure(error)
    }
    try await PostgreSQLServer.shared.drop(url)
    return try result.get()
}

/// Lends a new, empty store in a SQLite file to `body` and closes it afterwards.
func withStore<T>(
    _ options: SQLiteOptions = SQLiteOptions(), _ body: (Store) async throws -> T
) async throws -> T {
    try await withStoreFile(options) { store, _ in try await body(store) }
}

/// The same, with the path of the store's file.
func withStoreFile<T>(
    _ options: SQLiteOptions = SQLiteOptions(), _ body: (Store, String) async throws -> T
) async throws -> T {
    let folder = try TemporaryFolder()
    let path = folder.file("broker.sqlite")
    let store = try await Store.open(sqlite: path, options: options, now: .noon)
    do {
        let result = try await body(store, path)
        await store.close()
        return result
    } catch {
        await store.close()
        throw error
    }
}

/// The error of type `Failure` that `body` throws, if it does.
func failure<Failure: Error>(_: Failure.Type, of body: () async throws -> Void) async -> Failure? {
    do {
        try await body()
        return nil
    } catch {
        return error as? Failure
    }
}

extension SQLiteOptions {
    /// For files that are opened at the same moment: a disk that stands still for seconds is no failure of what is tested.
    static var patient: SQLiteOptions {
        var options = SQLiteOptions()
        options.busyTimeout = .seconds(120)
        return options
    }
}

extension Timestamp {
    /// The moment at which tests happen.
    static let noon = Timestamp(milliseconds: 1_800_000_000_123)

    static func seconds(afterNoon seconds: Int) -> Timestamp { noon.advanced(by: .seconds(seconds)) }
}
