import BrokerStore
import PostgreSQLTesting
import Synchronization
import Testing

@Suite("Races of refresh tokens", .timeLimit(.minutes(30)))
struct RotationRaceTests {
    private static let later = Timestamp.seconds(afterNoon: 60)

    /// What ends the life of a session.
    enum Ending: String, CaseIterable {
        case revoked, allRevoked, disabled, newEpoch, deleted

        func come(to session: Session, in tx: borrowing Transaction) throws(StoreError) {
            switch self {
            case .revoked: _ = try tx.revokeSession(id: session.id, at: .noon, reason: "signed out")
            case .allRevoked: try tx.revokeSessions(of: session.userKey, at: .noon, reason: "signed out")
            case .disabled: _ = try tx.setDisabled(true, userKey: session.userKey)
            case .newEpoch: _ = try tx.bumpEpoch(userKey: session.userKey, validSince: 1)
            case .deleted: _ = try tx.deleteUser(key: session.userKey)
            }
        }
    }

    private static func rotate(
        _ store: Store, _ session: Session, generation: Int64 = 0
    ) async throws -> Rotation<Identity> {
        try await store.rotate(
            sessionID: session.id, generation: generation, at: later, idleSince: .noon, createdSince: .noon)
    }

    @Test(arguments: TestEngine.allCases)
    func `one presentation of a token rotates, the others find its child`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let session = try await stores.one.addSession(of: try await stores.one.addUser())
            for generation in 0..<3 as Range<Int64> {
                let rotations = try await stores.contend(8) { store, _ in
                    try await Self.rotate(store, session, generation: generation)
                }

                #expect(rotations.count { $0.isRotated } == 1)
                #expect(rotations.allSatisfy { $0.facts?.session.generation == generation + 1 })
                // What the direct parent's grace is counted from.
                #expect(rotations.allSatisfy { $0.facts?.session.rotatedAt == Self.later })
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a token's parent and grandparent at once: neither rotates`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let session = try await stores.one.addSession(of: try await stores.one.addUser())
            for generation in 0..<2 as Range<Int64> {
                _ = try await Self.rotate(stores.one, session, generation: generation)
            }

            let rotations = try await stores.contend(3) { store, number in
                try await Self.rotate(store, session, generation: Int64(number))
            }

            #expect(rotations.map(\.isRotated) == [false, false, true])
            // Two generations behind: another party has the session as well.
            #expect(rotations[0].facts.map { $0.session.generation >= 2 } == true)
        }
    }

    @Test(arguments: Ending.allCases, TestEngine.allCases)
    func `no rotation succeeds that begins after the session's end was answered`(
        by ending: Ending, on engine: TestEngine
    ) async throws {
        try await TwoStores.race(on: engine) { stores in
            let session = try await stores.one.addSession(of: try await stores.one.addUser())
            let isOver = Atomic(false)

            let tooLate = try await stores.contend(3) { store, number in
                guard number > 0 else {
                    try await store.write { tx in try ending.come(to: session, in: tx) }
                    isOver.store(true, ordering: .sequentiallyConsistent)
                    return 0
                }
                return try await Self.rotateUntilRefused(session, at: store, isOver)
            }

            #expect(tooLate == [0, 0, 0])
            for store in [stores.one, stores.other] {
                let facts = try await store.read { try $0.sessionFacts(id: session.id) }
                let generation = facts?.session.generation ?? 0
                #expect(try await Self.rotate(store, session, generation: generation) == .notRotated(facts))
                #expect((facts == nil) == (ending == .deleted))
            }
        }
    }

    /// Rotates as a client does, from child to child.
    ///
    /// - Returns: how many rotations succeeded although they began when it was over.
    private static func rotateUntilRefused(
        _ session: Session, at store: Store, _ isOver: borrowing Atomic<Bool>
    ) async throws -> Int {
        var (generation, tooLate, refusalsWhenOver) = (Int64(0), 0, 0)
        while refusalsWhenOver < 2, tooLate < 3 {
            let wasOver = isOver.load(ordering: .sequentiallyConsistent)
            let rotation = try await rotate(store, session, generation: generation)
            if wasOver { if rotation.isRotated { tooLate += 1 } else { refusalsWhenOver += 1 } }
            // The other client may have been faster.
            generation = rotation.facts?.session.generation ?? generation
        }
        return tooLate
    }

    @Test(arguments: TestEngine.allCases)
    func `what ends every session leaves none behind that begins at that moment`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let user = try await stores.one.addUser()
            let place = stores.meetingPoint()

            let sessions: [Session?] = try await stores.contend { store, number in
                try await store.write { tx in
                    let current = try tx.user(key: user.key) ?? user
                    place.meet()
                    guard number == 0 else {
                        let session = Session.sample(of: current)
                        try tx.insert(session)
                        return session
                    }
                    _ = try tx.bumpEpoch(userKey: user.key, validSince: 1)
                    try tx.revokeSessions(of: user.key, at: .noon, reason: "signed out")
                    return nil
                }
            }

            let id = try #require(sessions[1]).id
            let facts = try #require(try await stores.other.read { try $0.sessionFacts(id: id) })
            // Either it is older and dead, or younger and of the new epoch.
            #expect((facts.session.revokedAt == nil) == (facts.session.epoch == facts.user.epoch))
        }
    }
}

extension Rotation<Identity> {
    fileprivate var isRotated: Bool { if case .rotated = self { true } else { false } }

    fileprivate var facts: SessionFacts? {
        switch self {
        case .rotated(let facts): facts
        case .notRotated(let facts): facts
        }
    }
}
