/// One turn of a queue's worker: serves all recipients that have something due, each by a task of its own.
///
/// No recipient waits for another. While tasks run, the due recipients are read again at the interval, so that what
/// becomes due meanwhile does not wait for the slowest of them.
struct QueueTurn<Recipient: Hashable & Sendable>: Sendable {
    /// The work of one task.
    struct Service: Sendable {
        /// The number of attempts.
        var attempts = 0
        /// Whether the recipient may be served again at once.
        var mayHaveMore = false
    }

    /// Between two looks at the queue while tasks run.
    let interval: Duration
    /// Recipients that are served at a time.
    let width: Int
    /// The recipients that have something due.
    let due: @Sendable () async throws -> [Recipient]
    /// Makes a number of attempts for a recipient.
    let serve: @Sendable (Recipient) async throws -> Service

    private enum Event: Sendable {
        case served(Recipient, Service)
        case intervalPassed
    }

    /// Runs until no task is left and nothing more is due.
    ///
    /// - Returns: The number of attempts.
    /// - Throws: What `due` and `serve` throw; the other tasks are cancelled.
    func run() async throws -> Int {
        try await withThrowingTaskGroup(of: Event.self) { group in
            var (attempts, served) = (0, Set<Recipient>())
            var (isLookDue, isTimerSet) = (true, false)
            while !Task.isCancelled {
                if isLookDue {
                    let waiting = try await due().filter { !served.contains($0) }.shuffled()
                    for recipient in waiting.prefix(width - served.count) {
                        served.insert(recipient)
                        group.addTask { .served(recipient, try await serve(recipient)) }
                    }
                }
                guard !served.isEmpty else { break }
                if !isTimerSet {
                    isTimerSet = true
                    group.addTask { [interval] in
                        try? await Task.sleep(for: interval)
                        return .intervalPassed
                    }
                }
                switch try await group.next() {
                case .served(let recipient, let service):
                    served.remove(recipient)
                    attempts += service.attempts
                    isLookDue = service.mayHaveMore
                case .intervalPassed: (isLookDue, isTimerSet) = (true, false)
                case nil: break
                }
            }
            group.cancelAll()
            return attempts
        }
    }
}
