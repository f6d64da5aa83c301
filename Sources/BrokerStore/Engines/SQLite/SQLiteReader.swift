/// One of the threads that read, each on its own connection.
struct SQLiteReader {
    let connection: SQLiteConnection
    let counters: StoreCounters

    /// Works off `jobs` until they are closed.
    func run(_ jobs: WorkQueue<Job>) {
        while let job = jobs.next(atMost: 1).first {
            let deliver = perform(job)
            counters.countRead()
            deliver()
        }
    }

    private func perform(_ job: Job) -> Job.Delivery {
        connection.clearFailure()
        do {
            try connection.control(.begin)
            defer { if connection.isInTransaction { try? connection.control(.rollback) } }
            let deliver = try job.perform(connection)
            if let failure = connection.failure { throw failure }
            return deliver
        } catch {
            return { job.fail(error) }
        }
    }
}
