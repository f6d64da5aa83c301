import Logging
import Synchronization

/// Readers that are started when the disk is slow, and stay until the store is closed.
///
/// A thread that waits for a disk takes no processor, and a disk serves several requests at once: with as many readers as
/// there are processors, others would wait in line for a page that is not theirs.
final class SpareReaders: Sendable {
    private struct State {
        var starting: Task<[SQLiteThread], Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let readers: [SQLiteReader]
    private let file: SQLiteFile
    private let queues: SQLiteQueues

    init(for file: SQLiteFile, workingOff queues: SQLiteQueues) {
        self.file = file
        self.queues = queues
        readers = (0..<max(file.options.spareReaders, 0)).map { _ in
            SQLiteReader(file.options, counting: queues.counters)
        }
    }

    /// Starts them, once; returns without waiting.
    func start() {
        state.withLock { state in
            guard state.starting == nil, !state.isClosed else { return }
            state.starting = Task { await open() }
        }
    }

    private func open() async -> [SQLiteThread] {
        var threads: [SQLiteThread] = []
        do throws(StoreError) {
            for reader in readers { threads.append(try await SQLiteThreads.thread(of: reader, file, queues)) }
        } catch {
            // The others read on.
            file.logger.warning("A spare reader could not be started.", metadata: ["reason": "\(error.reason)"])
        }
        return threads
    }

    /// Returns when they have closed their connections, after the queue of reads was closed.
    func end() async {
        let starting = state.withLock { state in
            state.isClosed = true
            return state.starting
        }
        guard let threads = await starting?.value else { return }
        for thread in threads { await thread.end() }
    }
}
