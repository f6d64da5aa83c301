import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("Conflicts on PostgreSQL", .timeLimit(.minutes(20)))
struct PostgreSQLConflictTests {
    private static var impatient: PostgreSQLOptions {
        var options = PostgreSQLOptions.single
        // Long enough for every other statement on a busy machine.
        options.statementTimeout = .seconds(2)
        return options
    }

    @Test func `a statement that takes too long is given up, and the connection goes on`() async throws {
        try await withDatabase(Self.impatient) { store, _ in
            let error = await failure(StoreError.self) {
                try await store.write { tx in _ = try tx.run(TestStatements.sleep) }
            }

            #expect(error?.kind == .busy)
            try await store.addUser()
        }
    }

    @Test func `a row that stays locked is given up, without a write`() async throws {
        try await withDatabase(Self.impatient) { store, url in
            let (user, added) = (try await store.addUser(), User.sample())
            let other = try RawPostgreSQL(url)
            try other.run("BEGIN; SELECT 1 FROM users FOR UPDATE")

            let error = await failure(StoreError.self) {
                try await store.write { tx in
                    _ = try tx.insert(added)
                    try tx.recordSignIn(userKey: user.key, at: .noon)
                }
            }
            try other.run("ROLLBACK")

            #expect(error?.kind == .busy)
            #expect(try await store.user(added) == nil)
            try await store.write { tx in try tx.recordSignIn(userKey: user.key, at: .noon) }
        }
    }

    @Test func `of two transactions that read before either wrote, one runs again, and no caller knows`() async throws {
        try await withDatabase { store, _ in
            let user = try await store.addUser()
            let (place, attempts) = (MeetingPoint(for: 2), Attempts())

            try await withThrowingTaskGroup(of: Void.self) { group in
                for letter in ["a", "b"] {
                    group.addTask {
                        try await store.write { tx in
                            attempts.next()
                            var changed = user
                            changed.displayName = (try tx.user(key: user.key)?.displayName ?? "") + letter
                            place.meet()
                            try tx.setProfile(of: changed)
                        }
                    }
                }
                try await group.waitForAll()
            }

            #expect(["ab", "ba"].contains(try await store.user(user)?.displayName))
            #expect(attempts.count >= 3)
        }
    }

    @Test func `of two transactions that wait for each other, one runs again, and no caller knows`() async throws {
        try await withDatabase { store, _ in
            let users = [try await store.addUser(), try await store.addUser()]
            let place = MeetingPoint(for: 2)
            let reasons = Notes()

            try await withThrowingTaskGroup(of: Void.self) { group in
                for order in [[0, 1], [1, 0]] {
                    group.addTask {
                        try await store.write { tx in
                            try tx.recordSignIn(userKey: users[order[0]].key, at: .noon)
                            place.meet()
                            do throws(StoreError) {
                                try tx.recordSignIn(userKey: users[order[1]].key, at: .noon)
                            } catch {
                                reasons.append(error.reason)
                                throw error
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }

            #expect(reasons.contains("40P01"))
            for user in users { #expect(try await store.user(user)?.lastLoginAt == .noon) }
        }
    }

    @Test func `a conflict that shows at the commit runs everything again`() async throws {
        try await withDatabase(.single) { store, url in
            try RawPostgreSQL(url).atCommit(
                of: "INSERT", on: "users",
                run: "IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;")
            let (user, attempts) = (User.sample(), Attempts())

            let isAdded = try await store.write { tx in
                attempts.next()
                return try tx.insert(user)
            }

            #expect(isAdded)
            #expect(attempts.count == 2)
            #expect(try await store.user(user) == user)
        }
    }

    @Test func `a value that is there already is refused after a few attempts, with nothing written`() async throws {
        try await withDatabase { store, _ in
            let session = try await store.addSession(of: try await store.addUser())
            let (added, attempts) = (User.sample(), Attempts())
            var twin = session
            twin.key = newKey()
            let (another, same) = (twin, session)

            let error = await failure(StoreError.self) {
                try await store.write { tx in
                    attempts.next()
                    _ = try tx.insert(added)
                    try tx.insert(another)
                }
            }

            #expect(error?.kind == .constraint)
            #expect((2...5).contains(attempts.count))
            #expect(try await store.user(added) == nil)
            #expect(try await store.read { try $0.session(id: same.id) } == same)
        }
    }

    @Test func `a rotation whose commit meets a conflict is repeated`() async throws {
        try await withDatabase(.single) { store, url in
            let session = try await store.addSession(of: try await store.addUser())
            try RawPostgreSQL(url).atCommit(
                of: "UPDATE", on: "sessions",
                run: "IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;")

            let rotation = try await store.rotate(
                sessionID: session.id, generation: 0, at: .noon, idleSince: .noon, createdSince: .noon)

            guard case .rotated(let facts) = rotation else { throw StoreError(.misuse, "\(rotation)") }
            #expect(facts.session.generation == 1)
        }
    }

    @Test func `a rotation that waited for a merge goes on with the user of after it`() async throws {
        try await withDatabase { store, url in
            let (absorbed, survivor) = (try await store.addUser(), try await store.addUser())
            let session = try await store.addSession(of: absorbed)
            let other = try RawPostgreSQL(url)
            try other.run(
                """
                BEGIN; UPDATE sessions SET user_key = \(survivor.key), epoch = \(survivor.epoch);
                DELETE FROM users WHERE key = \(absorbed.key)
                """)
            async let rotation = store.rotate(
                sessionID: session.id, generation: 0, at: .noon, idleSince: .noon, createdSince: .noon)
            _ = try await other.awaitRow(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")

            try other.run("COMMIT")

            let outcome = try await rotation
            guard case .rotated(let facts) = outcome else { throw StoreError(.misuse, "\(outcome)") }
            #expect(facts.session.generation == 1)
            #expect(facts.user == survivor)
        }
    }
}
