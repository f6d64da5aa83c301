import PostgreSQLTesting
import Synchronization

@testable import BrokerStore

/// Statements that only tests need.
enum TestStatements {
    static let sleep = Statement("sleep", "SELECT 1 FROM pg_sleep(60)")
    static let backend = Statement("backend", "SELECT CAST(pg_backend_pid() AS bigint)")
    static let synchronousCommit = Statement("synchronous_commit", "SELECT current_setting('synchronous_commit')")
}

extension Transaction {
    /// The process of the server that runs this transaction.
    func backend() throws(StoreError) -> Int64 {
        try value(TestStatements.backend) { row throws(StoreError) in try row.integer() } ?? 0
    }
}

/// Counts how often a transaction's body ran.
final class Attempts: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    /// Counts one more.
    @discardableResult
    func next() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// What transactions say on their way.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ line: String) { lines.withLock { $0.append(line) } }

    func contains(_ text: String) -> Bool { lines.withLock { $0.contains { $0.contains(text) } } }
}

extension RawPostgreSQL {
    /// Ends another connection and waits until it is gone.
    func terminate(_ backend: Int64) throws {
        try run("SELECT pg_terminate_backend(\(backend), 60000)")
    }

    /// Makes PostgreSQL run `code` (PL/pgSQL) at the commit of a transaction that does `event` with a row of `table`.
    func atCommit(of event: String, on table: String, run code: String) throws {
        try run(
            """
            CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(code) RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER at_commit AFTER \(event) ON \(table) DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION at_commit();
            CREATE SEQUENCE attempts
            """)
    }

    /// Runs `sql` until it has a row, which another connection causes.
    func awaitRow(_ sql: String) async throws -> [String?] {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < deadline {
            if let row = try run(sql).first { return row }
            await Task.yield()
        }
        throw StoreError(.busy, "what the test waits for did not happen")
    }
}

extension PostgreSQLOptions {
    /// One connection, so that what happens to it is noticed.
    static var single: PostgreSQLOptions {
        var options = PostgreSQLOptions()
        options.connections = 1
        return options
    }
}
