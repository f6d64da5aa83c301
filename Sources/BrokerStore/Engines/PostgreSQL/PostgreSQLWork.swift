/// Queued work for a connection, with the task that awaits its outcome.
struct PostgreSQLWork: Sendable {
    enum Task: Sendable {
        case write(any Job)
        case read(any Job)
        /// Statements that need nothing from each other, in a transaction of their own.
        case calls([Call], CheckedContinuation<[Answer], any Error>)
    }

    let task: Task
    /// Until when it may wait for a connection.
    let startBy: ContinuousClock.Instant
    /// Until when it has to be answered.
    let deadline: ContinuousClock.Instant

    func redrawKeys() {
        switch task {
        case .write(let job), .read(let job): job.redrawKeys()
        case .calls: break
        }
    }

    func fail(_ error: any Error) {
        switch task {
        case .write(let job), .read(let job): job.fail(error)
        case .calls(_, let continuation): continuation.resume(throwing: error)
        }
    }
}
