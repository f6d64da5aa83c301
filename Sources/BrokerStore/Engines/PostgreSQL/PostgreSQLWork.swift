/// Queued work for a connection, with the task that awaits its outcome.
struct PostgreSQLWork: Sendable {
    enum Task: Sendable {
        case write(Job)
        case read(Job)
        /// Statements that need nothing from each other, in a transaction of their own. One of the two closures is called,
        /// once.
        case calls(
            [Call], answer: @Sendable ([PostgreSQLResult]) -> Void, fail: @Sendable (any Error) -> Void)
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
        case .calls(_, _, let fail): fail(error)
        }
    }
}
