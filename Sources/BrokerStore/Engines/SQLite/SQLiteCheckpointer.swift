import CSQLite
import Logging
import Synchronization

/// Copies the write-ahead log into the database file while others write, and lets a long log start over.
///
/// SQLite waits for the disk only once the whole log is copied, while no one may write if the log is to start over. So the
/// pages are brought to the disk as they are copied, and the writer itself copies the last few between two commits.
struct SQLiteCheckpointer {
    /// How long the log's start waits for readers of the old one, in milliseconds. The writer waits as long.
    private static let patience: Int32 = 10

    let connection: SQLiteConnection
    let counters: StoreCounters
    let restartPages: Int
    let logger: Logger

    /// Works off what is asked until there will be no more.
    func run(_ checkpoints: Checkpoints) {
        while let length = checkpoints.requests.next(atMost: .max).last {
            let isLong = length >= restartPages
            var isCopied = false
            // The second one is for what was written during the first.
            for _ in 0..<(isLong ? 2 : 1) {
                isCopied = checkpoint(SQLITE_CHECKPOINT_PASSIVE)
                do throws(StoreError) {
                    try connection.syncCopies()
                } catch {
                    // The system may have forgotten the pages that it could not write. The log, which has them, stays.
                    logger.critical(
                        "The database file could not be written. Its write-ahead log grows until the broker is restarted.",
                        metadata: ["reason": "\(error.reason)"])
                    return
                }
            }
            if isLong, isCopied { checkpoints.isRestartDue.store(true, ordering: .relaxed) }
        }
    }

    /// Has the log start over. For the writer's connection, outside a transaction.
    ///
    /// Under constant writes the log would never do so by itself, since it must be copied whole for that.
    func startOver() {
        sqlite3_busy_timeout(connection.handle, Self.patience)
        _ = checkpoint(SQLITE_CHECKPOINT_RESTART)
    }

    private func checkpoint(_ mode: Int32) -> Bool {
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
        switch code & 0xff {
        case SQLITE_OK: counters.countCheckpoint()
        case SQLITE_BUSY: logger.debug("The write-ahead log is in use; its checkpoint was put off.")
        default:
            let error = StoreError(code, of: connection.handle, in: "checkpoint")
            logger.warning("The write-ahead log could not be copied.", metadata: ["reason": "\(error.reason)"])
        }
        return code == SQLITE_OK
    }
}

/// What the writer and the checkpointer tell each other.
final class Checkpoints: Sendable {
    /// Lengths of the write-ahead log, in pages, at which it should be copied.
    let requests = WorkQueue<Int>()
    /// Whether a long log was copied and is to start over after the next commit.
    let isRestartDue = Atomic(false)
}
