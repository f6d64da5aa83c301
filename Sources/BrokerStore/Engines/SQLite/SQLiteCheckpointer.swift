import CSQLite
import Logging

/// Copies the write-ahead log into the database file while others write.
struct SQLiteCheckpointer {
    /// While a restart waits for readers to leave the old log, writers wait too; so it gives up early.
    private static let patience: Int32 = 100

    let connection: SQLiteConnection
    let counters: StoreCounters
    let restartPages: Int
    let logger: Logger

    /// Works off `requests`, each the length of the log in pages, until they are closed.
    func run(_ requests: WorkQueue<Int>) {
        sqlite3_busy_timeout(connection.handle, Self.patience)
        while let length = requests.next(atMost: .max).last {
            checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            // Under constant writes a passive checkpoint never lets the log start over.
            if length >= restartPages { checkpoint(SQLITE_CHECKPOINT_RESTART) }
        }
    }

    private func checkpoint(_ mode: Int32) {
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
        switch code & 0xff {
        case SQLITE_OK: counters.countCheckpoint()
        case SQLITE_BUSY: logger.debug("The write-ahead log is in use; its checkpoint was put off.")
        default:
            let error = StoreError(code, of: connection.handle, in: "checkpoint")
            logger.warning("The write-ahead log could not be copied.", metadata: ["reason": "\(error.reason)"])
        }
    }
}
