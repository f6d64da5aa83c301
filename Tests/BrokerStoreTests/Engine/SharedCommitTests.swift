import Logging
import Synchronization
import Testing

@testable import BrokerStore

@Suite("Writes that share a commit on SQLite")
struct SharedCommitTests {
    private struct Refusal: Error {}

    /// Jobs by their place in the transaction, each of whose tasks waits already.
    private final class WaitingJobs: Sendable {
        private let jobs = Mutex<[Int: Job]>([:])

        /// - Returns: All that were added so far, in order.
        func add(_ job: Job, at place: Int) -> [Job] {
            jobs.withLock { jobs in
                jobs[place] = job
                return jobs.sorted { $0.key < $1.key }.map(\.value)
            }
        }
    }

    private static let insertion = Statement("insert", "INSERT INTO written DEFAULT VALUES")

    /// Runs `bodies` in one transaction, in their order.
    ///
    /// - Returns: Which of them succeeded, and the number of rows that were written.
    private static func write(
        _ bodies: [@Sendable (borrowing Transaction) throws -> Void]
    ) async throws -> (successes: [Bool], rows: SQLValue?) {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        let waiting = WaitingJobs()
        let successes = await withTaskGroup(of: (Int, Bool).self) { group in
            for (number, body) in bodies.enumerated() {
                group.addTask {
                    do {
                        try await withCheckedThrowingContinuation { task in
                            let jobs = waiting.add(
                                Job(in: TransactionContext(), body, answering: task), at: number)
                            if jobs.count == bodies.count { run(jobs, on: path) }
                        }
                        return (number, true)
                    } catch {
                        return (number, false)
                    }
                }
            }
            return await group.reduce(into: Array(repeating: false, count: bodies.count)) { $0[$1.0] = $1.1 }
        }
        let connection = try SQLiteConnection.writer(path, SQLiteOptions())
        return (successes, try connection.once("SELECT count(*) FROM written"))
    }

    private static func run(_ jobs: [Job], on path: String) {
        do {
            let connection = try SQLiteConnection.writer(path, SQLiteOptions())
            try connection.once("CREATE TABLE written (number INTEGER PRIMARY KEY)")
            try connection.once("PRAGMA application_id = \(SQLiteConnection.applicationID)")
            let counters = StoreCounters()
            let checkpointer = SQLiteCheckpointer(
                connection: connection, counters: counters, restartPages: 4000, logger: Logger(label: "test"))
            let log = WriteAheadLogWatch(checkpointer, every: 1000, asking: Checkpoints())
            SQLiteWriter(on: connection, counting: counters, watching: log, patience: .seconds(60)).run(jobs)
        } catch {
            for job in jobs { job.fail(error) }
        }
    }

    @Test func `run once where all succeed`() async throws {
        let runs = [Attempts(), Attempts(), Attempts()]

        let (successes, rows) = try await Self.write(
            runs.map { runs in
                { tx in
                    runs.next()
                    try tx.run(Self.insertion)
                }
            })

        #expect(successes == [true, true, true])
        #expect(rows == .integer(3))
        #expect(runs.map(\.count) == [1, 1, 1])
    }

    @Test(arguments: [(true, 2), (false, 1)])
    func `run again only where one has failed that wrote`(hasWritten: Bool, expectedRuns: Int) async throws {
        let (before, after) = (Attempts(), Attempts())

        let (successes, rows) = try await Self.write([
            { tx in
                before.next()
                try tx.run(Self.insertion)
            },
            { tx in
                if hasWritten { try tx.run(Self.insertion) }
                throw Refusal()
            },
            { tx in
                after.next()
                try tx.run(Self.insertion)
            },
        ])

        #expect(successes == [true, false, true])
        #expect(rows == .integer(2))
        #expect(before.count == expectedRuns)
        #expect(after.count == 1)
    }

    @Test func `lose nothing but what a failed statement belongs to`() async throws {
        let taken = Statement("taken", "INSERT INTO written (number) VALUES (1)")

        let (successes, rows) = try await Self.write([
            { tx in try tx.run(taken) },
            { tx in
                try tx.run(Self.insertion)
                try? tx.run(taken)
            },
            { tx in try tx.run(Self.insertion) },
        ])

        #expect(successes == [true, false, true])
        #expect(rows == .integer(2))
    }
}
