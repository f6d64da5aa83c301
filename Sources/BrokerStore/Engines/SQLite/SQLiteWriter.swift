/// The one thread that writes: concurrent jobs share a transaction, a savepoint each, and one commit.
struct SQLiteWriter {
    private let connection: SQLiteConnection
    private let counters: StoreCounters
    private let log: WriteAheadLogWatch

    init(on connection: SQLiteConnection, counting counters: StoreCounters, watching log: WriteAheadLogWatch) {
        self.connection = connection
        self.counters = counters
        self.log = log
    }

    /// Runs `jobs` and tells each how it went.
    func run(_ jobs: [Job]) {
        do throws(TransactionFailure) {
            let deliveries = try commit(jobs)
            counters.countCommit(ofWrites: jobs.count)
            for deliver in deliveries { deliver() }
        } catch {
            // What one job broke, the others did not cause: each gets a transaction of its own.
            guard case .undone = error, jobs.count > 1 else {
                for job in jobs { job.fail(error.reason) }
                return
            }
            for job in jobs { run([job]) }
        }
        log.check()
    }

    private func commit(_ jobs: [Job]) throws(TransactionFailure) -> [Job.Delivery] {
        do {
            if connection.isInTransaction { try connection.control(.rollback) }
            try connection.control(.beginImmediate)
        } catch {
            throw .notBegun(error)
        }
        var deliveries: [Job.Delivery] = []
        do {
            for job in jobs { deliveries.append(try perform(job)) }
        } catch {
            rollBack()
            throw .undone(error)
        }
        do {
            try connection.control(.commit)
        } catch {
            rollBack()
            throw TransactionFailure(committing: error)
        }
        return deliveries
    }

    private func rollBack() {
        // When even this fails, the next transaction tries again before it begins.
        if connection.isInTransaction { try? connection.control(.rollback) }
    }

    /// Runs `job` in a savepoint; throws only when the whole transaction is lost.
    private func perform(_ job: Job) throws(StoreError) -> Job.Delivery {
        connection.clearFailure()
        try connection.control(.savepoint)
        do {
            let deliver = try job.perform(connection)
            if let failure = connection.failure { throw failure }
            try connection.control(.release)
            return deliver
        } catch {
            guard connection.isInTransaction else {
                throw error as? StoreError ?? connection.failure ?? StoreError(.unavailable, "the transaction was lost")
            }
            try connection.control(.rollbackToSavepoint)
            try connection.control(.release)
            return { job.fail(error) }
        }
    }
}

/// Why a shared transaction came to nothing.
private enum TransactionFailure: Error {
    case notBegun(StoreError)
    /// Everything was rolled back, so trying again is safe.
    case undone(StoreError)
    case unknown(StoreError)

    /// What it means that COMMIT answered `error`.
    init(committing error: StoreError) {
        switch error.kind {
        case .constraint, .busy, .diskFull: self = .undone(error)
        // The commit record may have reached the log, where recovery after a crash would find it.
        default: self = .unknown(StoreError(.outcomeUnknown, error.reason))
        }
    }

    var reason: StoreError {
        switch self {
        case .notBegun(let error), .undone(let error), .unknown(let error): error
        }
    }
}
