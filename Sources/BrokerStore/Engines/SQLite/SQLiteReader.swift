import CSQLite
import Synchronization

/// One of the connections that read. It serves a thread of its own, which may wait and read for long; between the jobs
/// of that thread it serves point reads on the threads of those who ask.
final class SQLiteReader: Sendable {
    private let connection = Mutex<SQLiteConnection?>(nil)
    private let counters: StoreCounters
    private let busyMilliseconds: Int32

    init(_ options: SQLiteOptions, counting counters: StoreCounters) {
        self.counters = counters
        busyMilliseconds = options.busyMilliseconds
    }

    /// Takes over the connection that `make` opens.
    func open(_ make: () throws(StoreError) -> sending SQLiteConnection) throws(StoreError) {
        try connection.withLock { connection throws(StoreError) in connection = try make() }
    }

    /// Works off `jobs` until they are closed, then closes the connection.
    func run(_ jobs: WorkQueue<Job>) {
        while let job = jobs.next(atMost: 1).first {
            connection.withLock { connection in
                if let connection { Self.perform(job, on: connection) }
            }
            counters.countRead()
            job.deliver()
        }
        connection.withLock { $0 = nil }
    }

    private static func perform(_ job: Job, on connection: SQLiteConnection) {
        do {
            try transact(on: connection) { try job.perform(on: connection) }
        } catch {
            job.settle(with: error)
        }
    }

    private static func transact(on connection: SQLiteConnection, _ body: () throws -> Void) throws {
        connection.beginWork()
        if connection.isInTransaction { try connection.control(.rollback) }
        try connection.control(.begin)
        defer { if connection.isInTransaction { try? connection.control(.rollback) } }
        try body()
        if let failure = connection.failure { throw failure }
    }

    /// Reads at once, without waiting.
    ///
    /// - Returns: false if the connection is in use.
    /// - Throws: An error of `body`, or a ``StoreError``, also when `body` is no point read.
    func pointRead(in context: TransactionContext, _ body: TransactionBody) throws -> Bool {
        let isRead = try connection.withLockIfAvailable { connection in
            guard let connection else { return false }
            sqlite3_busy_timeout(connection.handle, 0)
            defer { sqlite3_busy_timeout(connection.handle, busyMilliseconds) }
            try Self.transact(on: connection) {
                try connection.interruptingLongReads { try body(Transaction(on: connection, in: context)) }
            }
            return true
        }
        guard isRead == true else { return false }
        counters.countRead()
        return true
    }
}

extension SQLiteConnection {
    /// Runs `body`, whose statements fail once they have taken a few thousand instructions of SQLite's virtual machine: a
    /// point read takes hundreds, and thousands are a fraction of a millisecond.
    fileprivate func interruptingLongReads(_ body: () throws -> Void) throws {
        var thousands: Int32 = 0
        try withUnsafeMutablePointer(to: &thousands) { thousands in
            // SQLite calls at every thousandth instruction since a statement was prepared, not since it was started.
            sqlite3_progress_handler(
                handle, 1000,
                { thousands in
                    guard let thousands = thousands?.assumingMemoryBound(to: Int32.self) else { return 0 }
                    thousands.pointee += 1
                    return thousands.pointee > 8 ? 1 : 0
                }, thousands)
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            try body()
        }
    }
}
