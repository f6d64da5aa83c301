import CSQLite
import Logging

/// Which file, and how to use it.
struct SQLiteFile: Sendable {
    let path: String
    let options: SQLiteOptions
    let history: SchemaHistory
    let logger: Logger
}

/// The threads of an engine, each with its connection.
struct SQLiteThreads: Sendable {
    let writer: SQLiteThread
    let checkpointer: SQLiteThread
    let readers: [SQLiteThread]
    let spareReaders: SpareReaders

    /// Opens `file`, brings its schema up to date and starts working off `queues`.
    init(for file: SQLiteFile, workingOff queues: SQLiteQueues, now: Timestamp) async throws(StoreError) {
        // First, since there may be no file and no schema before it.
        writer = try await Self.writer(file, queues, now)
        checkpointer = try await Self.checkpointer(file, queues)
        var readers: [SQLiteThread] = []
        for reader in queues.readers { readers.append(try await Self.thread(of: reader, file, queues)) }
        self.readers = readers
        spareReaders = SpareReaders(for: file, workingOff: queues)
    }

    private static func writer(
        _ file: SQLiteFile, _ queues: SQLiteQueues, _ now: Timestamp
    ) async throws(StoreError) -> SQLiteThread {
        let (path, options, logger) = (file.path, file.options, file.logger)
        let history = file.history
        return try await SQLiteThread("store writer") { () throws(StoreError) in
            let connection = try SQLiteConnection.writer(path, options)
            let applied: [Migration]
            do throws(StoreError) {
                applied = try SQLiteMigrator(connection: connection, path: path, history: history).migrate(at: now)
            } catch {
                throw error.opening(path)
            }
            // A new file is no news; a changed one is.
            let level: Logger.Level = applied.first?.version == 1 ? .debug : .info
            for migration in applied {
                logger.log(level: level, "The store's schema was changed.", metadata: ["name": "\(migration.name)"])
            }
            return connection
        } work: { connection in
            let watch = WriteAheadLogWatch(
                Self.checkpointer(on: connection, file, queues), every: options.checkpointPages,
                asking: queues.checkpoints)
            let writer = SQLiteWriter(
                on: connection, counting: queues.counters, watching: watch, patience: options.busyTimeout)
            while case let jobs = queues.writes.next(atMost: max(options.writesPerCommit, 1)), !jobs.isEmpty {
                writer.run(jobs)
            }
            // Best effort: what stays in the log is read from there at the next start.
            sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }

    private static func checkpointer(
        _ file: SQLiteFile, _ queues: SQLiteQueues
    ) async throws(StoreError) -> SQLiteThread {
        let (path, options) = (file.path, file.options)
        return try await SQLiteThread("store checkpointer") { () throws(StoreError) in
            try SQLiteConnection.checkpointer(path, options)
        } work: { connection in
            Self.checkpointer(on: connection, file, queues).run(queues.checkpoints)
        }
    }

    private static func checkpointer(
        on connection: SQLiteConnection, _ file: SQLiteFile, _ queues: SQLiteQueues
    ) -> SQLiteCheckpointer {
        SQLiteCheckpointer(
            connection: connection, counters: queues.counters, restartPages: file.options.restartPages,
            logger: file.logger)
    }

    /// Opens the connection of `reader` and has it work off the reads.
    static func thread(
        of reader: SQLiteReader, _ file: SQLiteFile, _ queues: SQLiteQueues
    ) async throws(StoreError) -> SQLiteThread {
        let (path, options) = (file.path, file.options)
        return try await SQLiteThread("store reader") { () throws(StoreError) in
            try reader.open { () throws(StoreError) in try SQLiteConnection.reader(path, options) }
        } work: { _ in
            reader.run(queues.reads)
        }
    }
}
