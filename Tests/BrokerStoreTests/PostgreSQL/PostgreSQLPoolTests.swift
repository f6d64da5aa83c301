import BrokerStore
import Dispatch
import PostgreSQLTesting
import Testing

@Suite("Connections to PostgreSQL", .timeLimit(.minutes(20)))
struct PostgreSQLPoolTests {
    private static func options(
        connections: Int, waiting: Int = 2000, patience: Duration = .seconds(60)
    ) -> PostgreSQLOptions {
        var options = PostgreSQLOptions()
        options.connections = connections
        options.waiting = waiting
        options.patience = patience
        options.transactionTimeout = .seconds(120)
        return options
    }

    @Test func `writers that are more than connections take turns`() async throws {
        try await withDatabase(Self.options(connections: 2)) { store, url in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { try await store.addUser() } }
                try await group.waitForAll()
            }

            let connections = try RawPostgreSQL(url).run(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'broker'
                """)
            #expect(try await store.read { tx in try tx.users(after: nil, limit: 1000) }.count == 100)
            #expect(connections == [["2"]])
        }
    }

    @Test func `more than may wait are refused at once, the others have their turn`() async throws {
        try await withDatabase(Self.options(connections: 1, waiting: 5)) { store, _ in
            let gate = DispatchSemaphore(value: 0)
            let isInside = DispatchSemaphore(value: 0)
            let refused = Attempts()
            async let blocker: Void = store.write { _ in
                isInside.signal()
                _ = gate.wait(timeout: .now() + 60)
            }
            await Task.detached { isInside.wait() }.value

            let kinds = await withTaskGroup(of: StoreError.Kind?.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        let error = await failure(StoreError.self) { try await store.addUser() }
                        if error != nil, refused.next() == 30 { gate.signal() }
                        return error?.kind
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try await blocker

            let users = try await store.read { tx in try tx.users(after: nil, limit: 1000) }
            #expect(users.count == kinds.count { $0 == nil })
            #expect(users.count >= 5)
            #expect(Set(kinds) == [.busy, nil])
        }
    }

    @Test func `the wait for a connection has a time limit`() async throws {
        try await withDatabase(Self.options(connections: 1, patience: .milliseconds(200))) { store, _ in
            let gate = DispatchSemaphore(value: 0)
            let isInside = DispatchSemaphore(value: 0)
            async let blocker: Void = store.write { _ in
                isInside.signal()
                _ = gate.wait(timeout: .now() + 60)
            }
            await Task.detached { isInside.wait() }.value
            let user = User.sample()

            let error = await failure(StoreError.self) { try await store.addUser(user) }
            gate.signal()
            try await blocker

            #expect(error?.kind == .unavailable)
            #expect(try await store.user(user) == nil)
        }
    }

    @Test func `closing under load answers every caller`() async throws {
        let url = try await PostgreSQLServer.shared.newDatabase()
        var count = 0
        for _ in 0..<10 {
            let store = try await Store.open(postgreSQL: url, options: Self.options(connections: 4))
            let answers = await withTaskGroup(of: Bool?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        guard let error = await failure(StoreError.self, of: { try await store.addUser() }) else {
                            return true
                        }
                        return error.kind == .closed ? false : nil
                    }
                }
                group.addTask {
                    await store.close()
                    return false
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            count += answers.count { $0 == true }
            #expect(answers.count == 51 && !answers.contains(nil))
        }

        let reopened = try await Store.open(postgreSQL: url)
        let users = try await reopened.read { tx in try tx.users(after: nil, limit: 1000) }
        await reopened.close()
        try await PostgreSQLServer.shared.drop(url)
        #expect(users.count == count)
    }

    @Test func `a closed store refuses, and closing it again does nothing`() async throws {
        try await withDatabase { store, _ in
            try await store.addUser()

            await store.close()

            let error = await failure(StoreError.self) { try await store.addUser() }
            #expect(error?.kind == .closed)
            await #expect(throws: StoreError.self) { try await store.ping() }
            await store.close()
        }
    }
}
