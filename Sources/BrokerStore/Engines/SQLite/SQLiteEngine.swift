import Foundation
import Logging

/// The store in one SQLite file: one thread writes, some read, one copies the write-ahead log.
final class SQLiteEngine: Engine {
    private let queues: SQLiteQueues
    private let threads: SQLiteThreads

    private init(_ queues: SQLiteQueues, _ threads: SQLiteThreads) {
        self.queues = queues
        self.threads = threads
    }

    deinit {
        // The threads finish what waits and end by themselves.
        queues.close()
    }

    /// See ``Store/open(sqlite:options:now:logger:)``.
    static func open(
        _ path: String, options: SQLiteOptions, history: SchemaHistory, now: Timestamp, logger: Logger
    ) async throws(StoreError) -> SQLiteEngine {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw StoreError(.unavailable, "a file name is needed") }
        // An absolute path is never mistaken for one of SQLite's special names (":memory:", "file:…").
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let file = SQLiteFile(path: absolute, options: options, history: history, logger: logger)
        let queues = SQLiteQueues(options)
        do {
            return SQLiteEngine(queues, try await SQLiteThreads(for: file, workingOff: queues, now: now))
        } catch {
            queues.close()
            throw error
        }
    }

    func write(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await queues.writes.run(in: context, body)
    }

    func read(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        try await queues.reads.run(in: context, body)
    }

    func pointRead(in context: TransactionContext, _ body: @escaping TransactionBody) async throws {
        if queues.pace.isPaused { threads.spareReaders.start() }
        do {
            let isRead = try queues.pace.measuring { () -> Bool? in
                for reader in queues.readers where try reader.pointRead(in: context, body) { return true }
                return nil
            }
            if isRead != nil { return }
        } catch is StoreError {
            // A thread has the time to wait, and the last word.
        }
        try await read(in: context, body)
    }

    func close() async {
        queues.reads.close()
        for reader in threads.readers { await reader.end() }
        await threads.spareReaders.end()
        queues.checkpoints.requests.close()
        await threads.checkpointer.end()
        // Last, so that no reader blocks its final checkpoint.
        queues.writes.close()
        await threads.writer.end()
    }

    var statistics: StoreStatistics { queues.counters.statistics }
}

/// The state that the tasks and threads of one engine share.
struct SQLiteQueues: Sendable {
    let writes: WorkQueue<Job>
    let reads = WorkQueue<Job>()
    let readers: [SQLiteReader]
    let pace = PointReadPace()
    let checkpoints = Checkpoints()
    let counters = StoreCounters()

    init(_ options: SQLiteOptions) {
        let counters = counters
        writes = WorkQueue(waking: options.beginsWriting)
        readers = (0..<max(options.readers, 1)).map { _ in SQLiteReader(options, counting: counters) }
    }

    func close() {
        reads.close()
        checkpoints.requests.close()
        writes.close()
    }
}
