import Foundation

/// Runs pieces of work on one connection, until there are no more or the connection breaks.
struct PostgreSQLWorker {
    /// The outcome of one attempt.
    private enum Attempt {
        case answered
        /// Rolled back; the task still waits.
        case undone(PostgreSQLFailure)
    }

    let connection: PostgreSQLConnection
    let counters: StoreCounters

    /// Answers `work`, repeating it while other transactions are in the way.
    ///
    /// - Returns: false if the connection broke before a commit; the task still waits.
    func run(_ work: PostgreSQLWork) -> Bool {
        var attempts = 0
        while case .undone(let failure) = attempt(work) {
            switch failure {
            case .lost(let error):
                guard ContinuousClock.now >= work.deadline else { return false }
                work.fail(error)
            case .refused(let error): work.fail(error)
            case .conflict(let error):
                attempts += 1
                if mayRepeat(after: error, attempts, until: work.deadline) {
                    if error.kind == .rowKeyTaken { work.redrawKeys() }
                    continue
                }
                work.fail(error)
            }
            return true
        }
        return true
    }

    /// Whether to repeat the attempt, after a growing random pause.
    private func mayRepeat(after error: StoreError, _ attempts: Int, until deadline: ContinuousClock.Instant) -> Bool {
        let isAtUniqueIndex = error.kind == .constraint || error.kind == .rowKeyTaken
        guard !isAtUniqueIndex || attempts < Job.attemptsAtUniqueIndexes, ContinuousClock.now < deadline else {
            return false
        }
        let longest = min(0.001 * Double(1 << min(attempts, 6)), 0.05)
        Thread.sleep(forTimeInterval: Double.random(in: 0...longest))
        return true
    }

    private func attempt(_ work: PostgreSQLWork) -> Attempt {
        switch work.task {
        case .write(let job): transact(job, PostgreSQLConnection.Control.beginWriting, by: work.deadline)
        case .read(let job): transact(job, PostgreSQLConnection.Control.beginReading, by: work.deadline)
        case .calls(let calls, let answer, _): execute(calls, answer, by: work.deadline)
        }
    }

    private func transact(_ job: Job, _ beginning: Statement, by deadline: ContinuousClock.Instant) -> Attempt {
        connection.begin(beginning, by: deadline)
        do {
            try job.perform(on: connection)
        } catch {
            connection.rollBack()
            if let failure = connection.failure, !failure.isFinal { return .undone(failure) }
            job.fail(error)
            return .answered
        }
        if let failure = connection.failure {
            connection.rollBack()
            return .undone(failure)
        }
        guard beginning == PostgreSQLConnection.Control.beginWriting else {
            counters.countRead()
            // What was read is what it is, however its transaction ends.
            job.deliver()
            connection.rollBack()
            return .answered
        }
        do throws(PostgreSQLFailure) {
            try connection.commit()
        } catch {
            return .undone(error)
        }
        counters.countCommit(ofWrites: 1)
        job.deliver()
        return .answered
    }

    private func execute(
        _ calls: [Call], _ answer: ([PostgreSQLResult]) -> Void, by deadline: ContinuousClock.Instant
    ) -> Attempt {
        do throws(PostgreSQLFailure) {
            let results = try connection.execute(calls, by: deadline)
            counters.countCommit(ofWrites: 1)
            answer(results)
            return .answered
        } catch {
            return .undone(error)
        }
    }
}

extension PostgreSQLFailure {
    fileprivate var isFinal: Bool {
        if case .refused = self { true } else { false }
    }
}
