import CSQLite

/// A monitor of the write-ahead log's size after each commit, which requests checkpoints.
///
/// Takes the place of SQLite's own automatic checkpoint, during which the writer would wait.
final class WriteAheadLogWatch {
    private let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private let connection: SQLiteConnection
    private let requests: WorkQueue<Int>
    private let interval: Int
    private var askedAt = 0

    /// Watches the commits of `connection`; sends the log's length to `requests` whenever it grew by `interval` pages.
    init(_ connection: SQLiteConnection, every interval: Int, asking requests: WorkQueue<Int>) {
        self.connection = connection
        self.requests = requests
        self.interval = interval
        pages.initialize(to: 0)
        sqlite3_wal_hook(
            connection.handle,
            { pages, _, _, count in
                pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
    }

    deinit {
        sqlite3_wal_hook(connection.handle, nil, nil)
        pages.deallocate()
    }

    /// To be called after each commit.
    func check() {
        let length = Int(pages.pointee)
        if length < askedAt { askedAt = 0 }
        guard length - askedAt >= interval else { return }
        askedAt = length
        _ = requests.append(length)
    }
}
