import CSQLite
import Synchronization

/// A monitor of the write-ahead log's size after each commit, which requests checkpoints and has a copied log start over.
///
/// Takes the place of SQLite's own automatic checkpoint, during which the writer would wait.
final class WriteAheadLogWatch {
    private let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private let checkpointer: SQLiteCheckpointer
    private let checkpoints: Checkpoints
    private let interval: Int
    private var askedAt = 0

    /// Watches the commits of the connection of `checkpointer`, which is the writer's; sends the log's length to
    /// `checkpoints` whenever it grew by `interval` pages.
    init(_ checkpointer: SQLiteCheckpointer, every interval: Int, asking checkpoints: Checkpoints) {
        self.checkpointer = checkpointer
        self.checkpoints = checkpoints
        self.interval = interval
        pages.initialize(to: 0)
        sqlite3_wal_hook(
            checkpointer.connection.handle,
            { pages, _, _, count in
                pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
    }

    deinit {
        sqlite3_wal_hook(checkpointer.connection.handle, nil, nil)
        pages.deallocate()
    }

    /// To be called after each commit.
    func check() {
        if checkpoints.isRestartDue.exchange(false, ordering: .relaxed) { checkpointer.startOver() }
        let length = Int(pages.pointee)
        if length < askedAt { askedAt = 0 }
        guard length - askedAt >= interval else { return }
        askedAt = length
        _ = checkpoints.requests.append(length)
    }
}
