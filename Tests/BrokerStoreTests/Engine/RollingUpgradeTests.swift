import Foundation
import PostgreSQLTesting
import StoreSchema
import Testing

@testable import BrokerStore

@Suite("Old and new brokers on one store")
struct RollingUpgradeTests {
    /// Opens the test's one store as a broker with this history would.
    private typealias Opening = (SchemaHistory) async throws -> Store

    private static let next = Int64(Migration.all.count) + 1

    private static let additive = Migration(
        version: next, name: "made up: adds",
        statements: [
            "ALTER TABLE users ADD COLUMN made_up_text broker_text",
            "ALTER TABLE sessions ADD COLUMN made_up_number bigint NOT NULL DEFAULT 1",
            """
            CREATE TABLE made_up (
                key bigint PRIMARY KEY,
                user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE
            )
            """,
        ])

    private static let breaking = Migration(
        version: next, name: "made up: breaks", statements: ["ALTER TABLE users DROP COLUMN screen_name"],
        keepsOlderBrokers: false)

    private static let old = SchemaHistory()

    private static func withOpening(_ engine: TestEngine, _ body: (Opening) async throws -> Void) async throws {
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            try await body { try await Store.open(sqlite: folder.file("s"), history: $0) }
        case .postgreSQL:
            let url = try await PostgreSQLServer.shared.newEmptyDatabase()
            let result: Result<Void, any Error>
            do {
                result = .success(try await body { try await Store.open(postgreSQL: url, history: $0) })
            } catch {
                result = .failure(error)
            }
            try await PostgreSQLServer.shared.drop(url)
            try result.get()
        }
    }

    /// Why a broker with this history is not let in.
    private static func refusal(of history: SchemaHistory, _ open: Opening) async throws -> StoreError? {
        do {
            await (try await open(history)).close()
            return nil
        } catch let error as StoreError {
            return error
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a look at a store of an earlier schema is refused, and changes nothing`(on engine: TestEngine) async throws {
        try await Self.withOpening(engine) { open in
            let past = SchemaHistory(Array(Migration.all.prefix(20)))
            await (try await open(past)).close()

            let refusal = try await Self.refusal(of: SchemaHistory(for: .lookup), open)
            let store = try await open(past)
            let version = try await store.read { try $0.schemaVersion() }
            await store.close()
            await (try await open(Self.old)).close()

            #expect(refusal?.kind == .readOnly)
            #expect(version == 20)
            #expect(try await Self.refusal(of: SchemaHistory(for: .lookup), open) == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `they work side by side after a migration that only adds, and the old one may start again`(
        on engine: TestEngine
    ) async throws {
        try await Self.withOpening(engine) { open in
            let old = try await open(Self.old)
            let before = try await old.addUser()
            let new = try await open(SchemaHistory(Migration.all + [Self.additive]))
            async let byOld = old.addUser()
            async let byNew = new.addUser()
            let users = try await [before, byOld, byNew]
            let session = try await old.addSession(of: users[2])
            await old.close()

            let restarted = try await open(Self.old)
            let late = try await restarted.addUser()

            for store in [new, restarted] {
                for user in users + [late] { #expect(try await store.user(user) == user) }
                #expect(try await store.read { try $0.session(id: session.id) } == session)
                #expect(try await store.read { try $0.schemaVersion() } == Self.next)
            }
            await restarted.close()
            await new.close()
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an older broker is refused after an incompatible migration, with the remedy`(
        on engine: TestEngine
    ) async throws {
        try await Self.withOpening(engine) { open in
            let before = try await Self.refusal(of: Self.old, open)
            await (try await open(SchemaHistory(Migration.all + [Self.breaking]))).close()

            let error = try await Self.refusal(of: Self.old, open)

            #expect(before == nil)
            #expect(error?.kind == .newerSchema)
            #expect(error?.reason.contains("Run the later broker") == true)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `one that knows the last breaking step works beside later ones`(on engine: TestEngine) async throws {
        try await Self.withOpening(engine) { open in
            let later = Migration(
                version: Self.next + 1, name: "made up: adds later",
                statements: ["ALTER TABLE users ADD COLUMN made_up_later broker_text"])
            let knowing = SchemaHistory(Migration.all + [Self.breaking])
            await (try await open(SchemaHistory(knowing.migrations + [later]))).close()

            let refusals = [try await Self.refusal(of: knowing, open), try await Self.refusal(of: Self.old, open)]

            #expect(refusals.map { $0?.kind } == [nil, .newerSchema])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a store from before requirements were recorded is brought up to date`(on engine: TestEngine) async throws {
        try await Self.withOpening(engine) { open in
            let past = SchemaHistory(Array(Migration.all.prefix(7)))
            let first = try await open(past)
            let user = try await first.addUserOfFirstSchema()
            await first.close()

            let store = try await open(Self.old)
            let found = try await store.user(user)
            await store.close()

            #expect(found == user)
            #expect(try await Self.refusal(of: past, open)?.kind == .newerSchema)
        }
    }

    /// The statements of brokers of schema 44 whose text has changed since.
    private static let formerRemoval = Statement(
        "remove_expired_used_id_tokens_of_schema_44",
        """
        DELETE FROM used_id_tokens WHERE key IN (
            SELECT key FROM used_id_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING key
        """, .integer, .integer)
    private static let formerDecision = Statement(
        "insert_decision_of_schema_44",
        """
        INSERT INTO decisions (key, at, request_id, provider, issuer, subject_hash, local_id, rule, outcome, evidence)
        VALUES ($1, $2, $3, 'p', 'i', 's', $4, 'S1', 'signed-in', '{}')
        """, .integer, .integer, .text, .text)

    private static func token(_ hash: UInt8, by localID: String, expiring seconds: Int = 600) -> UsedIDToken {
        UsedIDToken(
            key: newKey(), tokenHash: Array(repeating: hash, count: 32), localID: localID, usedAt: .noon,
            expiresAt: .seconds(afterNoon: seconds))
    }

    @Test(arguments: TestEngine.allCases)
    func `an ID token is used once by brokers that began before its table was clustered and after`(
        on engine: TestEngine
    ) async throws {
        try await Self.withOpening(engine) { open in
            let old = try await open(SchemaHistory(Array(Migration.all.prefix(44))))
            @Sendable func use(_ token: UsedIDToken, _ store: Store) async throws -> UsedIDToken? {
                try await store.write { try $0.recordUse(of: token) }
            }
            let (early, late) = (Self.token(1, by: "old"), Self.token(2, by: "new", expiring: 60))
            let first = try await use(early, old)
            let new = try await open(Self.old)
            let seenByNew = try await use(Self.token(1, by: "new"), new)
            let second = try await use(late, new)
            let seenByOld = try await use(Self.token(2, by: "old"), old)

            let firsts = try await withThrowingTaskGroup(of: UsedIDToken?.self) { group in
                for hash in UInt8(10)..<40 {
                    for (name, store) in [("old", old), ("new", new), ("old again", old), ("new again", new)] {
                        group.addTask { try await use(Self.token(hash, by: name), store) }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 == nil ? 1 : 0 }
            }
            let removed = try await old.write { tx in
                try tx.run(Self.formerRemoval, .integer(Timestamp.seconds(afterNoon: 60).milliseconds), .integer(9))
            }
            let again = try await [use(Self.token(1, by: "new"), new), use(Self.token(2, by: "new"), new)]
            await old.close()
            await new.close()

            #expect(first == nil && second == nil && seenByNew == early && seenByOld == late)
            #expect(firsts == 30)
            #expect(removed == 1 && again == [early, nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `decisions of brokers that write no audit entry of the same key are found by their user`(
        on engine: TestEngine
    ) async throws {
        try await Self.withOpening(engine) { open in
            let old = try await open(SchemaHistory(Array(Migration.all.prefix(44))))
            func decide(_ requestID: String) async throws {
                let key = newKey()
                try await old.write { tx in
                    try tx.run(
                        Self.formerDecision, .integer(key), .time(.noon), .text(requestID), .text("ada"))
                }
            }
            try await decide("before")
            let new = try await open(Self.old)
            try await decide("after")

            let found = try await new.read { try $0.decisions(localID: "ada", limit: 9) }
            await old.close()
            await new.close()

            #expect(found.map(\.requestID) == ["after", "before"])
        }
    }

    @Test func `an unrecorded version is refused`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        await (try await Store.open(sqlite: path)).close()
        try RawSQLite(path).run("PRAGMA user_version = \(Self.next)")
        let before = try Data(contentsOf: URL(filePath: path))

        let error = try await Self.refusal(of: Self.old) { try await Store.open(sqlite: path, history: $0) }

        #expect(error?.kind == .newerSchema)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test(
        arguments: [
            // Empty; known in part; up to date; later and additive; later and breaking; later and silent about it.
            (0, nil, [1, 2, 3]), (2, nil, [3]), (3, nil, []), (4, 2, []), (4, 3, []), (4, 4, nil), (4, nil, nil),
        ] as [(Int64, Int64?, [Int64]?)])
    func `what a broker that knows three steps does about a schema`(
        version: Int64, oldestBroker: Int64?, missing: [Int64]?
    ) throws {
        let history = SchemaHistory((1...3).map { Migration(version: $0, name: "\($0)", statements: []) })

        let found = try? history.missing(on: .init(version: version, oldestBroker: oldestBroker), in: "s")

        #expect(found?.map(\.version) == missing)
    }
}
