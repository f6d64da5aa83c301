import CSQLite

/// The one thread that writes: concurrent jobs share a transaction and one commit.
///
/// Jobs hardly ever fail after they have written, and a savepoint costs as much as a small write. So jobs have savepoints
/// only when they run again because one of them failed so.
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
            case .busy(let reason): continueWaiting(jobs, after: reason)
            // What one job broke, the others did not cause: each gets a transaction of its own.
            case .undone where jobs.count > 1: for job in jobs { run([job]) }
            case .notBegun(let reason), .undone(let reason), .unknown(let reason):
                for job in jobs { job.fail(reason) }
            }
        }
        log.check()
    }

    /// Another process holds the file: work that has waited for the busy time-out fails, later work continues to wait.
    private func continueWaiting(_ jobs: [Job], after reason: StoreError) {
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
        guard try !commit(jobs, jobs.count == 1 ? .alone : .together) else { return }
        _ = try commit(jobs, .inSavepoints)
    }

    /// - Returns: false if a job failed that cannot be undone without the others. All of it is rolled back then.
    private func commit(_ jobs: [Job], _ separation: Separation) throws(TransactionFailure) -> Bool {
        do {
            try begin(for: jobs)
        } catch {
            throw error.kind == .busy ? .busy(error) : .notBegun(error)
        }
        do {
            for job in jobs where try !perform(job, separation) {
                rollBack()
                return false
            }
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
        return true
    }

    private func rollBack() {
        // When even this fails, the next transaction tries again before it begins.
        if connection.isInTransaction { try? connection.control(.rollback) }
    }

    /// Runs `job`, again while its new rows get keys that are taken; throws only when the whole transaction is lost.
    ///
    /// - Returns: As ``attempt(_:_:)``.
    private func perform(_ job: Job, _ separation: Separation) throws(StoreError) -> Bool {
        var attempts = 1
        while try attempt(job, separation) {
            guard connection.failure?.kind == .rowKeyTaken, attempts < Job.attemptsAtUniqueIndexes else { return true }
            job.redrawKeys()
            if separation == .alone { try connection.control(.beginImmediate) }
            attempts += 1
        }
        return false
    }

    /// Runs `job` once. When it fails, what it wrote is undone.
    ///
    /// - Returns: false if that would undo what others wrote.
    private func attempt(_ job: Job, _ separation: Separation) throws(StoreError) -> Bool {
        connection.beginWork()
        if separation == .inSavepoints { try connection.control(.savepoint) }
        do {
            try job.perform(on: connection)
            if let failure = connection.failure { throw failure }
            if separation == .inSavepoints { try connection.control(.release) }
        } catch {
            guard connection.isInTransaction else {
                throw error as? StoreError ?? connection.failure ?? StoreError(.unavailable, "the transaction was lost")
            }
            switch separation {
            case .alone: try connection.control(.rollback)
            case .together: guard !connection.hasWritten else { return false }
            case .inSavepoints:
                try connection.control(.rollbackToSavepoint)
                try connection.control(.release)
            }
            job.settle(with: error)
        }
        return true
    }
}

/// How jobs in one transaction are kept apart.
private enum Separation {
    case alone
    /// What one wrote is undone with what all wrote.
    case together
    case inSavepoints
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
