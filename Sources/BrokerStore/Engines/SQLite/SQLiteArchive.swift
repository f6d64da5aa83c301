import CSQLite

/// A SQLite file of the broker that is only read and stays as it is, such as a backup.
final class SQLiteArchive: Engine {
    private let jobs = WorkQueue<Job>()
    private let counters = StoreCounters()
    private let thread: SQLiteThread

    /// Opens the file, which may be of an older schema.
    ///
    /// - Throws: `.foreignFile`, `.newerSchema`, `.corrupt` or `.unavailable`.
    init(_ path: String) async throws(StoreError) {
        let options = SQLiteOptions()
        let reader = SQLiteReader(options, counting: counters)
        thread = try await SQLiteThread("store archive") { () throws(StoreError) in
            try reader.open { () throws(StoreError) in
                let connection = try SQLiteConnection.reader(path, options)
                try connection.refuseForeignArchive(path)
                return connection
            }
        } work: { [jobs] _ in
            reader.run(jobs)
        }
    }

    deinit {
        jobs.close()
    }

    func write(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        throw StoreError(.readOnly, "a backup is only read")
    }

    func read(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await jobs.run(in: context, body)
    }

    func close() async {
        jobs.close()
        await thread.end()
    }

    var statistics: StoreStatistics { counters.statistics }
}

extension SQLiteConnection {
    /// Makes sure that the file is the broker's, whole, and not of a later broker.
    func refuseForeignArchive(_ path: String) throws(StoreError) {
        do throws(StoreError) {
            guard try once("PRAGMA application_id") == .integer(Self.applicationID) else {
                throw StoreError(.foreignFile, "\(path) is not a database of the broker; it was not touched")
            }
        } catch {
            guard error.kind == .foreignFile else { throw error }
            throw StoreError(.foreignFile, "\(path) is not a database of the broker; it was not touched")
        }
        let latest = Migration.all.last?.version ?? 0
        guard case .integer(let version) = try once("PRAGMA user_version"), version <= latest else {
            throw StoreError(.newerSchema, "\(path) was made by a later broker; this one knows schemas up to \(latest)")
        }
        guard try once("PRAGMA integrity_check(1)") == .text("ok"),
            try once(MigrationStatements.version.sql) == .integer(version)
        else { throw StoreError(.corrupt, "\(path) is damaged") }
    }
}

extension Store {
    /// Lends `body` a backup as the schema of this broker has it: the file itself, or a copy that was brought up to date
    /// and is removed afterwards. The file stays as it is.
    ///
    /// - Throws: `.foreignFile`, `.newerSchema`, `.corrupt` or `.unavailable`; what `body` throws.
    package static func withCurrent<T>(archive path: String, _ body: (Store) async throws -> T) async throws -> T {
        let archive = try await Store.open(archive: path)
        do {
            let version = try await archive.read { tx in try tx.schemaVersion() }
            let value =
                version == Migration.all.last?.version
                ? try await body(archive) : try await withUpToDateCopy(of: path, body)
            await archive.close()
            return value
        } catch {
            await archive.close()
            throw error
        }
    }

    private static func withUpToDateCopy<T>(of path: String, _ body: (Store) async throws -> T) async throws -> T {
        try await PrivateFile.inFolder { folder in
            let copy = folder + "/broker.sqlite"
            try await Store.backUp(sqlite: path, to: copy)
            let store = try await Store.open(sqlite: copy, for: .transfer)
            do {
                let value = try await body(store)
                await store.close()
                return value
            } catch {
                await store.close()
                throw error
            }
        }
    }

    /// Opens a backup for reading. The file stays as it is, even if its schema is an older one.
    ///
    /// - Throws: `.foreignFile`, `.newerSchema`, `.corrupt` or `.unavailable`.
    package static func open(archive path: String) async throws(StoreError) -> Store {
        Store(on: try await SQLiteArchive(path))
    }
}
