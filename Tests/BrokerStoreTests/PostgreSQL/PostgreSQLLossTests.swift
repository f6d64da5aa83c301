import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("A connection that is lost", .timeLimit(.minutes(20)))
struct PostgreSQLLossTests {
    /// What a server says that stops waiting for its standby.
    private static let warning = "RAISE WARNING 'the standby may not have it';"
    private static let death = "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60);"

    private static func rotate(_ store: Store, _ session: Session) async throws -> Rotation<Identity> {
        try await store.rotate(
            sessionID: session.id, generation: 0, at: .noon, idleSince: .noon, createdSince: .noon)
    }

    /// When the connection is lost.
    enum Moment: String, CaseIterable {
        case betweenStatements, beforeCommit
    }

    @Test(arguments: Moment.allCases)
    func `before the commit is no matter: the transaction runs again on another one`(moment: Moment) async throws {
        try await withDatabase(.single) { store, url in
            let (user, attempts) = (User.sample(), Attempts())

            let isAdded = try await store.write { tx in
                let isAdded = try tx.insert(user)
                guard attempts.next() == 1 else { return isAdded }
                try RawPostgreSQL(url).terminate(tx.backend())
                if moment == .betweenStatements { _ = try tx.user(key: user.key) }
                return isAdded
            }

            #expect(isAdded)
            #expect(attempts.count == 2)
            #expect(try await store.user(user) == user)
        }
    }

    @Test func `while nothing is done is no matter`() async throws {
        try await withDatabase(.single) { store, url in
            let backend = try await store.write { tx in
                try tx.backend()
            }
            try RawPostgreSQL(url).terminate(backend)

            let user = try await store.addUser()

            #expect(try await store.user(user) == user)
        }
    }

    @Test func `in the commit leaves the outcome unknown, and nothing is done again`() async throws {
        try await withDatabase(.single) { store, url in
            try RawPostgreSQL(url).atCommit(
                of: "INSERT", on: "users", run: Self.death)
            let attempts = Attempts()

            let error = await failure(StoreError.self) {
                try await store.write { tx in
                    attempts.next()
                    _ = try tx.insert(User.sample())
                }
            }

            #expect(error?.kind == .outcomeUnknown)
            #expect(attempts.count == 1)
            try await store.ping()
        }
    }

    @Test func `with a warning from the commit instead, the outcome is unknown as well`() async throws {
        try await withDatabase(.single) { store, url in
            try RawPostgreSQL(url).atCommit(
                of: "INSERT", on: "users", run: Self.warning)
            let user = User.sample()

            let error = await failure(StoreError.self) { try await store.addUser(user) }

            #expect(error?.kind == .outcomeUnknown)
            #expect(try await store.user(user) == user)
        }
    }

    @Test func `while a rotation waits its turn: it is repeated`() async throws {
        try await withDatabase(.single) { store, url in
            let session = try await store.addSession(of: try await store.addUser())
            let other = try RawPostgreSQL(url)
            try other.run("BEGIN; SELECT 1 FROM sessions FOR UPDATE")
            async let rotation = Self.rotate(store, session)
            let backend = try await other.awaitRow(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")

            try other.terminate(try #require(backend[0].flatMap { Int64($0) }))
            try other.run("ROLLBACK")

            guard case .rotated(let facts) = try await rotation else { throw StoreError(.misuse, "not rotated") }
            #expect(facts.session.generation == 1)
        }
    }

    @Test(arguments: [warning, death])
    func `in the commit of a rotation leaves the outcome unknown`(because code: String) async throws {
        try await withDatabase(.single) { store, url in
            let session = try await store.addSession(of: try await store.addUser())
            try RawPostgreSQL(url).atCommit(of: "UPDATE", on: "sessions", run: code)

            let error = await failure(StoreError.self) { _ = try await Self.rotate(store, session) }

            #expect(error?.kind == .outcomeUnknown)
            let generation = try await store.read { try $0.session(id: session.id) }?.generation
            #expect(generation == (code == Self.warning ? 1 : 0))
        }
    }

    @Test func `a table that was changed in between is no obstacle`() async throws {
        try await withDatabase(.single) { store, url in
            let user = try await store.addUser()
            let sessions = [try await store.addSession(of: user), try await store.addSession(of: user)]
            _ = try await Self.rotate(store, sessions[0])
            _ = try await store.read { try $0.session(id: sessions[0].id) }
            try RawPostgreSQL(url).run(#"ALTER TABLE sessions ALTER COLUMN claims TYPE text COLLATE "C""#)

            guard case .rotated = try await Self.rotate(store, sessions[1]) else {
                throw StoreError(.misuse, "not rotated")
            }
            #expect(try await store.read { try $0.session(id: sessions[0].id) }?.generation == 1)
        }
    }
}
