import PostgreSQLTesting
import StoreSchema
import Testing

@testable import BrokerStore

@Suite("Rotation of refresh tokens")
struct RotationTests {
    private static let later = Timestamp.seconds(afterNoon: 60)

    /// Ways in which a session may not go on living.
    enum Obstacle: String, CaseIterable {
        case otherGeneration, revoked, idle, tooOld, disabled, newEpoch
    }

    private static func rotate(
        _ store: Store, _ session: Session, generation: Int64 = 0, idleSince: Timestamp = .noon,
        createdSince: Timestamp = .noon
    ) async throws -> Rotation<Identity> {
        try await store.rotate(
            sessionID: session.id, generation: generation, at: later, idleSince: idleSince, createdSince: createdSince)
    }

    @Test(arguments: TestEngine.allCases)
    func `moves the session to its next generation and returns the token`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            var session = try await store.addSession(of: user)
            let identity = Identity.sample(of: user)
            try await store.write { tx in _ = try tx.insert(identity) }

            let rotation = try await Self.rotate(store, session)

            (session.generation, session.rotatedAt, session.lastUsedAt) = (1, Self.later, Self.later)
            let facts = SessionFacts(session: session, user: user, identities: [identity])
            #expect(rotation == .rotated(facts))
            let id = session.id
            #expect(try await store.read { tx in try tx.sessionFacts(id: id) } == facts)
            #expect(try await store.read { tx in try tx.lastRefresh(of: user.key) } == Self.later)
        }
    }

    @Test(arguments: Obstacle.allCases, TestEngine.allCases)
    func `is refused and changes nothing`(because obstacle: Obstacle, on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let session = try await store.addSession(of: user)
            try await store.write { tx in
                switch obstacle {
                case .revoked: _ = try tx.revokeSession(id: session.id, at: .noon, reason: "signed out")
                case .newEpoch: _ = try tx.bumpEpoch(userKey: user.key, validSince: 1)
                case .disabled:
                    let disable = Statement("disable", "UPDATE users SET disabled = 1 WHERE key = $1", .integer)
                    try tx.run(disable, .integer(user.key))
                case .otherGeneration, .idle, .tooOld: break
                }
            }
            let before = try await store.read { tx in try tx.sessionFacts(id: session.id) }

            let rotation = try await Self.rotate(
                store, session, generation: obstacle == .otherGeneration ? 1 : 0,
                idleSince: obstacle == .idle ? Self.later : .noon,
                createdSince: obstacle == .tooOld ? Self.later : .noon)

            #expect(before != nil)
            #expect(rotation == .notRotated(before))
            #expect(try await store.read { tx in try tx.sessionFacts(id: session.id) } == before)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `counts as use of the session`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let session = try await store.addSession(of: try await store.addUser())
            _ = try await Self.rotate(store, session)

            let again = try await Self.rotate(store, session, generation: 1, idleSince: Self.later)

            guard case .rotated(let facts) = again else { throw StoreError(.misuse, "it was not rotated") }
            #expect(facts.session.generation == 2)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a recorded use keeps a session from idling, and an earlier one changes nothing`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let session = try await store.addSession(of: try await store.addUser())

            try await store.write { try $0.recordUse(ofSession: session.id, at: Self.later) }
            try await store.write { try $0.recordUse(ofSession: session.id, at: .noon) }

            let found = try await store.read { try $0.session(id: session.id) }
            #expect(found?.latestUse == Self.later && found?.generation == 0 && found?.rotatedAt == nil)
            guard case .rotated = try await Self.rotate(store, session, idleSince: Self.later) else {
                throw StoreError(.misuse, "it was not rotated")
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of a session that never was finds nothing`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let session = Session.sample(of: .sample())

            let rotation = try await Self.rotate(store, session)

            #expect(rotation == .notRotated(nil))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `happens once, however often the token is presented at the same moment`(on engine: TestEngine) async throws {
        try await TwoStores.run(on: engine) { stores in
            let (store, second) = (stores.one, stores.other)
            for _ in 0..<10 {
                let session = try await store.addSession(of: try await store.addUser())

                let generations = try await withThrowingTaskGroup(of: (Bool, Int64?).self) { group in
                    for replay in 0..<100 {
                        let target = replay.isMultiple(of: 10) ? second : store
                        group.addTask {
                            switch try await Self.rotate(target, session) {
                            case .rotated(let facts): (true, facts.session.generation)
                            case .notRotated(let facts): (false, facts?.session.generation)
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }

                #expect(generations.count { $0.0 } == 1)
                #expect(generations.allSatisfy { $0.1 == 1 })
            }
        }
    }
}
