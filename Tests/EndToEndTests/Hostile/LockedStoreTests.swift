import CSQLite
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("A broker whose store is locked", .enabled(if: TestEngine.current == .sqlite), .timeLimit(.minutes(20)))
struct LockedStoreTests {
    @Test func `says so, keeps reading, and goes on afterwards`() async throws {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            try await broker.serve { _, client in
                let first = try IdentityToolkitApp.Session(try await client.signUp())
                let lock = try StoreLock(broker.databaseFile)

                let answers = try await withThrowingTaskGroup(of: IdentityToolkitApp.Answer.self) { group in
                    for _ in 0..<20 { group.addTask { try await client.signUp() } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }

                #expect(answers.count == 20)
                for answer in answers { answer.expectUnavailable() }
                #expect(try await client.lookup(first.idToken).status == 200)
                try lock.release()
                #expect(try await client.signUp().status == 200)
                #expect(try await client.refresh(first.refreshToken).status == 200)
                let tables = StoreTables(of: broker)
                try StoreInvariants.check(tables)
                #expect(try tables.rows("SELECT count(*) FROM users") == [["2"]])
            }
        }
    }

    @Test func `does not start, says why, and starts afterwards`() async throws {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            try await broker.serve { process, _ in
                try await process.stop()
            }
            let lock = try StoreLock(broker.databaseFile)

            let result = try await broker.failedStart()

            #expect(result.errors.contains("locked"), "\(result)")
            try lock.release()
            let answer = try await broker.serve { _, client in try await client.signUp() }
            #expect(answer.status == 200, "\(answer)")
        }
    }
}

/// Another program in the middle of a long transaction.
private final class StoreLock {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        self.handle = try #require(code == SQLITE_OK ? handle : nil)
        // The broker may be writing at this moment, such as at its start.
        sqlite3_busy_timeout(handle, 60_000)
        try run("BEGIN IMMEDIATE")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func release() throws { try run("ROLLBACK") }

    private func run(_ sql: String) throws { try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK) }
}
