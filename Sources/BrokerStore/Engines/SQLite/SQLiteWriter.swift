import CSQLite

/// The one thread that writes: concurrent jobs share a transaction, a savepoint each, and one commit. A job alone in its
/// transaction needs no savepoint.
struct SQLiteWriter {
    private let connection: SQLiteConnection
    private let counters: StoreCounters
    private let log: WriteAheadLogWatch
    private let patience: Duration

    /// `patience` is how long a job may wait for another process that holds the file.
    init(
        on connection: SQLiteConnection, counting counters: StoreCounters, watching log: WriteAheadLogWatch,
        patience: Duration
    ) {
        self.connection = connection
        self.counters = counters
        self.log = log
        self.patience = patience
    }

    /// Runs `jobs` and delivers the outcome of each.
    func run(_ jobs: [Job]) {
        do throws(TransactionFailure) {
            try commit(jobs)
            counters.countCommit(ofWrites: jobs.count)
            for job in jobs { job.deliver() }
        } catch {
            switch error {
            case .busy(let reason): goOn(with: jobs, after: reason)
            // What one job broke, the others did not cause: each gets a transaction of its own.
            case .undone where jobs.count > 1: for job in jobs { run([job]) }
            case .notBegun(let reason), .undone(let reason), .unknown(let reason):
                for job in jobs { job.fail(reason) }
            }
        }
        log.check()
    }

    /// Another process holds the file: work that has waited for the busy time-out fails, later work continues to wait.
    private func goOn(with jobs: [Job], after reason: StoreError) {
        let now = ContinuousClock.now
        for job in jobs where now - job.arrival >= patience { job.fail(reason) }
        let left = jobs.filter { now - $0.arrival < patience }
        if !left.isEmpty { run(left) }
    }

    /// Waits for the file as long as the one who came first still may: the queue behind them has been waiting as well.
    private func begin(for jobs: [Job]) throws(StoreError) {
        if connection.isInTransaction { try connection.control(.rollback) }
        let waited = jobs.map(\.arrival).min().map { ContinuousClock.now - $0 } ?? .zero
        sqlite3_busy_timeout(connection.handle, SQLiteOptions.milliseconds(max(patience - waited, .milliseconds(1))))
        try connection.control(.beginImmediate)
    }

    private func commit(_ jobs: [Job]) throws(TransactionFailure) {
        do {
            try begin(for: jobs)
        } catch {
            throw error.kind == .busy ? .busy(error) : .notBegun(error)
        }
        do {
            for job in jobs { try perform(job, isAlone: jobs.count == 1) }
        } catch {
            rollBack()
            throw error.kind == .busy ? .busy(error) : .undone(error)
        }
        do {
            // What failed alone has been rolled back.
            if connection.isInTransaction { try connection.control(.commit) }
        } catch {
            rollBack()
            throw TransactionFailure(committing: error)
        }
    }

    private func rollBack() {
        // When even this fails, the next transaction tries again before it begins.
        if connection.isInTransaction { try? connection.control(.rollback) }
    }

    /// Runs `job`, again while its new rows get keys that are taken; throws only when the whole transaction is lost.
    private func perform(_ job: Job, isAlone: Bool) throws(StoreError) {
        try attempt(job, isAlone: isAlone)
        var attempts = 1
        while connection.failure?.kind == .rowKeyTaken, attempts < Job.attemptsAtUniqueIndexes {
            job.redrawKeys()
            if isAlone { try connection.control(.beginImmediate) }
            try attempt(job, isAlone: isAlone)
            attempts += 1
        }
    }

    /// Runs `job` once, in a savepoint if others share the transaction.
    private func attempt(_ job: Job, isAlone: Bool) throws(StoreError) {
        connection.clearFailure()
        if !isAlone { try connection.control(.savepoint) }
        do {
            try job.perform(on: connection)
            if let failure = connection.failure { throw failure }
            if !isAlone { try connection.control(.release) }
        } catch {
            guard connection.isInTransaction else {
                throw error as? StoreError ?? connection.failure ?? StoreError(.unavailable, "the transaction was lost")
            }
            if isAlone {
                try connection.control(.rollback)
            } else {
                try connection.control(.rollbackToSavepoint)
                try connection.control(.release)
            }
            job.settle(with: error)
        }
    }
}

/// The failure of a shared transaction.
private enum TransactionFailure: Error {
    case busy(StoreError)
    case notBegun(StoreError)
    /// Everything was rolled back, so trying again is safe.
    case undone(StoreError)
    case unknown(StoreError)

    /// The consequence of an error of COMMIT.
    init(committing error: StoreError) {
        switch error.kind {
        case .constraint, .rowKeyTaken, .busy, .diskFull: self = .undone(error)
        // The commit record may have reached the log, where recovery after a crash would find it.
        default: self = .unknown(StoreError(.outcomeUnknown, error.reason))
        }
    }
}
